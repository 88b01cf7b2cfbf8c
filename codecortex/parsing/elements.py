"""Reads XML that is well formed, declares no document type and nests no deeper than people write."""

from __future__ import annotations

from xml.parsers import expat

from codecortex.model.startup.named_tuple import NamedTuple

_MOST_NESTING = 64


class RefusedError(Exception):
    """A file that a build tool should not read; the message says why."""


class Element(NamedTuple):
    """An XML element being read; names without prefix, attribute names in lower case."""

    name: str
    attributes: dict[str, str]
    texts: list[str]
    children: list[Element]

    def find_all(self, name: str) -> list[Element]:
        """The elements directly within that bear a name, whatever its case."""
        return [child for child in self.children if child.name.lower() == name]

    @property
    def condition(self) -> str:
        """The condition under which it counts; empty for none."""
        return self.attributes.get("condition", "").strip()

    @property
    def text(self) -> str:
        """The text directly within."""
        return "".join(self.texts).strip()


def parse_xml(data: bytes) -> Element:
    """The root element; raises `RefusedError` if the data is not plain, well-formed XML."""
    top = Element("", {}, [], [])
    stack = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MOST_NESTING:
            raise RefusedError(f"elements are nested more than {_MOST_NESTING} deep")
        named = {key.lower(): value for key, value in attributes.items()}
        element = Element(name.rpartition(":")[2], named, [], [])
        stack[-1].children.append(element)
        stack.append(element)

    def write(text: str) -> None:
        stack[-1].texts.append(text)

    def refuse(*_: object) -> None:
        raise RefusedError("it declares a document type, which is not read")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = write
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes it by position only
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise RefusedError(f"it is not well-formed XML: {error}") from error
    return top.children[0]
