"""Bytes of an MSBuild file or a solution in, neutral facts in document order out; nothing is evaluated or executed."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from codecortex.model.code.projects import (
    BranchFact,
    ChooseFact,
    GroupFact,
    ImportFact,
    ItemFact,
    Node,
    ProjectFacts,
    PropertyFact,
)

_ITEM_KINDS = {
    "compile": "Compile", "using": "Using", "projectreference": "ProjectReference",
    "packagereference": "PackageReference",
}  # fmt: skip
# Items of any other kind may stand for source files that `Compile` then asks for; these are many and never do.
_OTHER_KINDS = frozenset(
    {"packageversion", "globalpackagereference", "reference", "frameworkreference"}
    | {"internalsvisibleto", "assemblyattribute", "additionalfiles", "embeddedresource", "none", "content", "analyzer"}
)
_ITEM_VERBS = frozenset({"include", "exclude", "remove", "update", "condition"})
_MOST_NESTING = 64
_SDK_VERSION = re.compile(r'"sdk"\s*:\s*\{[^{}]*?"version"\s*:\s*"([^"\n]*)"')
_SDK_VERSIONS = re.compile(r'"msbuild-sdks"\s*:\s*\{([^{}]*)\}')
_JSON_PAIR = re.compile(r'"([^"\n]+)"\s*:\s*"([^"\n]*)"')
_SLN_PROJECT = re.compile(r'^[ \t]*Project\("[^"\n]*"\)[ \t]*=[ \t]*"[^"\n]*"[ \t]*,[ \t]*"([^"\n]*)"', re.MULTILINE)


class _RefusedError(Exception):
    """The file is not what a build tool should have to read; the message says why."""


@dataclass(slots=True)
class _Element:
    """An XML element while its file is read; names without prefix, attribute names in lower case."""

    name: str
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)
    children: list[_Element] = field(default_factory=list)

    @property
    def condition(self) -> str:
        return self.attributes.get("condition", "").strip()

    @property
    def text(self) -> str:
        return "".join(self.texts).strip()


def read_project(data: bytes, path: str) -> ProjectFacts:  # noqa: ARG001 - equal bytes share facts, so none holds a path
    """What a csproj, props, targets or projitems file says.

    Args:
        data: The file as it lies in the repository.
        path: Of the file, for symmetry with the other readers; it changes nothing in the answer.

    Returns:
        The facts; for a file that is malformed or declares a document type, none but the report that says so.
    """
    try:
        root = _parse(data)
    except _RefusedError as refusal:
        return ProjectFacts(reports=(str(refusal),))
    if root.name.lower() != "project":
        return ProjectFacts(reports=(f"the root element is <{root.name}>, not <Project>",))
    nodes = tuple(_read_nodes(root))
    sdk = root.attributes.get("sdk", "").strip() or next(
        (child.attributes.get("name", "") for child in root.children if child.name == "Sdk"), ""
    )
    return ProjectFacts(sdk, nodes)


def read_global_json(data: bytes) -> ProjectFacts:
    """What a `global.json` says of the SDKs to build with; what is not there, or not of that form, says nothing.

    Args:
        data: The file as it lies in the repository; comments in it do no harm.

    Returns:
        The version of the .NET SDK as the property `NETCoreSdkVersion`, that of every other SDK under the SDK's name.
    """
    text = data.decode("utf-8-sig", "replace")
    sdk, others = _SDK_VERSION.search(text), _SDK_VERSIONS.search(text)
    named = [("NETCoreSdkVersion", sdk[1])] if sdk else []
    named += _JSON_PAIR.findall(others[1]) if others else []
    members = tuple(PropertyFact(name, version) for name, version in named)
    return ProjectFacts(nodes=(GroupFact("", members),) if members else ())


def read_solution(data: bytes, path: str) -> tuple[str, ...]:
    """The projects that a solution names, from the repository root.

    Args:
        data: A `.sln` or `.slnx` file as it lies in the repository.
        path: Of the solution, from the repository root; its ending says which of the two it is.

    Returns:
        Paths of project files in the order of the solution, each once; a solution that cannot be read names none.
        Solution folders and what lies outside the repository are left out.
    """
    if path.lower().endswith(".slnx"):
        try:
            written = _read_slnx(_parse(data))
        except _RefusedError:
            return ()
    else:
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        written = _SLN_PROJECT.findall(data.decode(encoding, "replace"))
    folder = posixpath.dirname(path)
    joined = [posixpath.normpath(posixpath.join(folder, name.replace("\\", "/"))) for name in written]
    inside = [name for name in joined if name.lower().endswith("proj") and not name.startswith(("../", "/"))]
    return tuple(dict.fromkeys(inside))


def _read_slnx(root: _Element) -> list[str]:
    found: list[str] = []
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.name == "Project":
            found.append(element.attributes.get("path", ""))
        waiting.extend(reversed(element.children))
    return found


def _parse(data: bytes) -> _Element:
    """The root element; raises `_RefusedError` for what is not plain well-formed XML."""
    top = _Element("", {})
    stack = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MOST_NESTING:
            raise _RefusedError(f"elements are nested more than {_MOST_NESTING} deep")
        element = _Element(name.rpartition(":")[2], {key.lower(): value for key, value in attributes.items()})
        stack[-1].children.append(element)
        stack.append(element)

    def write(text: str) -> None:
        stack[-1].texts.append(text)

    def refuse(*_: object) -> None:
        raise _RefusedError("it declares a document type, which is not read")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = write
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes it by position only
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise _RefusedError(f"it is not well-formed XML: {error}") from error
    return top.children[0]


def _read_nodes(parent: _Element) -> list[Node]:
    nodes: list[Node] = []
    for element in parent.children:
        match element.name.lower():
            case "propertygroup" | "itemgroup" | "importgroup":
                group = _read_group(element)
                if group.members:
                    nodes.append(group)
            case "import":
                nodes.append(_read_import(element))
            case "choose":
                branches = [child for child in element.children if child.name.lower() in {"when", "otherwise"}]
                nodes.append(
                    ChooseFact(tuple(BranchFact(each.condition, tuple(_read_nodes(each))) for each in branches))
                )
    return nodes


def _read_group(group: _Element) -> GroupFact:
    members: list[PropertyFact | ItemFact | ImportFact] = []
    kind = group.name.lower()
    for element in group.children:
        if kind == "propertygroup":
            members.append(PropertyFact(element.name, element.text, element.condition))
        elif kind == "importgroup":
            members.append(_read_import(element))
        elif element.name.lower() not in _OTHER_KINDS:
            members.append(_read_item(element))
    return GroupFact(group.condition, tuple(members))


def _read_import(element: _Element) -> ImportFact:
    attributes = element.attributes
    return ImportFact(attributes.get("project", "").strip(), attributes.get("sdk", "").strip(), element.condition)


def _read_item(element: _Element) -> ItemFact:
    given = element.attributes
    metadata = [(name, value) for name, value in given.items() if name not in _ITEM_VERBS]
    metadata += [(child.name.lower(), child.text) for child in element.children]
    return ItemFact(
        _ITEM_KINDS.get(element.name.lower(), element.name),
        given.get("include", ""),
        given.get("exclude", ""),
        given.get("remove", ""),
        given.get("update", ""),
        tuple(metadata),
        element.condition,
    )
