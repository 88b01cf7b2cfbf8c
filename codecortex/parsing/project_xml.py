"""Reads MSBuild files, `global.json` and solutions as facts in document order; nothing is evaluated or executed."""

from __future__ import annotations

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
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.elements import Element, RefusedError, parse_xml

_ITEM_KINDS = {
    "compile": "Compile", "using": "Using", "projectreference": "ProjectReference",
    "packagereference": "PackageReference", "packageversion": "PackageVersion",
    "frameworkreference": "FrameworkReference", "internalsvisibleto": "InternalsVisibleTo",
    "reference": "Reference",
}  # fmt: skip
# Items of any other kind may stand for source files that `Compile` then asks for; these are many and never do.
_OTHER_KINDS = frozenset(
    {"globalpackagereference", "additionalfiles", "embeddedresource", "none", "content", "analyzer"}
)
_ITEM_VERBS = frozenset({"include", "exclude", "remove", "update", "condition"})
_SDK_VERSION = compile_later(r'"sdk"\s*:\s*\{[^{}]*?"version"\s*:\s*"([^"\n]*)"')
_SDK_VERSIONS = compile_later(r'"msbuild-sdks"\s*:\s*\{([^{}]*)\}')
_JSON_PAIR = compile_later(r'"([^"\n]+)"\s*:\s*"([^"\n]*)"')


def read_project(data: bytes, path: str) -> ProjectFacts:  # noqa: ARG001 - equal bytes share facts, whatever the path
    """The facts of a csproj, props, targets or projitems file.

    Args:
        data: The file's bytes.
        path: Its path, for symmetry with the other readers; it has no effect.

    Returns:
        The facts; for a file that is malformed or declares a document type, only a report.
    """
    try:
        root = parse_xml(data)
    except RefusedError as refusal:
        return ProjectFacts(reports=(str(refusal),))
    if root.name.lower() != "project":
        return ProjectFacts(reports=(f"the root element is <{root.name}>, not <Project>",))
    nodes = tuple(_read_nodes(root))
    sdk = root.attributes.get("sdk", "").strip() or next(
        (child.attributes.get("name", "") for child in root.children if child.name == "Sdk"), ""
    )
    return ProjectFacts(sdk, nodes)


def read_global_json(data: bytes) -> ProjectFacts:
    """The SDK versions in a `global.json`; missing or malformed values are left out.

    Args:
        data: The file's bytes; it may contain comments.

    Returns:
        The version of the .NET SDK as the property `NETCoreSdkVersion`, and of each other SDK as a property with its
        name.
    """
    text = data.decode("utf-8-sig", "replace")
    sdk, others = _SDK_VERSION.search(text), _SDK_VERSIONS.search(text)
    named = [("NETCoreSdkVersion", sdk[1])] if sdk else []
    named += _JSON_PAIR.findall(others[1]) if others else []
    members = tuple(PropertyFact(name, version) for name, version in named)
    return ProjectFacts(nodes=(GroupFact("", members),) if members else ())


def _read_nodes(parent: Element) -> list[Node]:
    nodes: list[Node] = []
    for element in parent.children:
        match element.name.lower():
            case "propertygroup" | "itemgroup" | "importgroup":
                group = _read_group(element)
                if group.members:
                    nodes.append(group)
            case "import":
                nodes.append(_read_import(element))
            case "target":
                nodes += filter(None, map(_read_friends, element.children))
            case "choose":
                branches = [child for child in element.children if child.name.lower() in {"when", "otherwise"}]
                nodes.append(
                    ChooseFact(tuple(BranchFact(each.condition, tuple(_read_nodes(each))) for each in branches))
                )
    return nodes


def _read_group(group: Element) -> GroupFact:
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


def _read_friends(element: Element) -> GroupFact | None:
    """The friends that a group of a target names, where building tells them and nothing else does."""
    items = [each for each in element.children if each.name.lower() in ("internalsvisibleto", "assemblyattribute")]
    members = tuple(_read_item(each) for each in items if "%(" not in each.attributes.get("include", ""))
    return GroupFact(element.condition, members) if members else None


def _read_import(element: Element) -> ImportFact:
    attributes = element.attributes
    return ImportFact(attributes.get("project", "").strip(), attributes.get("sdk", "").strip(), element.condition)


def _read_item(element: Element) -> ItemFact:
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
