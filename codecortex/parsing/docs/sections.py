"""The sections of a documentation comment, and what is in each, however it was read."""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.docs.crefs import display_type_cref
from codecortex.parsing.docs.markdown import Block, join_head

Parts = dict[str, dict[tuple[Block, ...], None]]
"""The content of each section by its tag, that of the summary by an empty one; the entries of a section are keys, since
the declarations of a partial type often repeat each other."""


class Section(NamedTuple):
    """How a section is written."""

    label: str
    listed: bool = False
    """Whether each element is an entry of a list, instead of prose."""
    key: str = ""
    """The attribute with the name of an entry."""
    keeps_bare: bool = False
    """Whether a name without a description gets a line."""


BEHIND_NAME = " — "
# In output order.
SECTIONS = {
    "typeparam": Section("Type parameters:", listed=True, key="name"),
    "param": Section("Parameters:", listed=True, key="name"),
    "returns": Section("Returns:"),
    "value": Section("Value:"),
    "exception": Section("Exceptions:", listed=True, key="cref", keeps_bare=True),
    "response": Section("Responses:", listed=True, key="code", keeps_bare=True),
    "remarks": Section("Remarks:"),
    "example": Section("Example:"),
    "seealso": Section("See also:", listed=True),
}


def head_part(section: Section, name: str, body: list[Block]) -> list[Block]:
    """The content of a section's entry with its name before it, if the section's entries have names."""
    if not section.key:
        return body
    name = show_name(section, name)
    return join_head([name] if name else [], BEHIND_NAME, body) if body or section.keeps_bare else []


def show_name(section: Section, name: str) -> str:
    """The name of a section's entry as it is shown."""
    return display_type_cref(name) if section.key == "cref" else fold(name)


def fold(text: str) -> str:
    """A text on one line, with single spaces."""
    return " ".join(text.split())
