"""Binds what the documentation comments of a file name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import Frame, Locals
from codecortex.analysis.binding.documentation.anchors import Anchors
from codecortex.analysis.binding.documentation.crefs import bind_cref
from codecortex.analysis.binding.documentation.parameters import bind_documented_name
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.model.code.syntax import Cref

_QUOTE = compile_later(rb"[\"']")


def bind_documentation(binder: Binder) -> None:
    """All references to types and members in a file's documentation, and the parameters that it names."""
    crefs, names = binder.file.tree.documentation
    source = binder.file.tree.source
    crefs = tuple([each for each in crefs if binder.is_asked_within(each.start, _find_end(source, each))])
    names = tuple([each for each in names if binder.is_asked_within(each.start, each.start + len(each.name.encode()))])
    if not crefs and not names:
        return
    anchors = Anchors(binder)
    for cref in crefs:
        anchor = anchors.find(cref.start)
        with binder.within(Frame(anchor.scope, anchor.inside, Locals())):
            bind_cref(binder, cref, anchor)
    for name in names:
        bind_documented_name(binder, name, anchors.find(name.start))


def _find_end(source: bytes, cref: Cref) -> int:
    """Where the attribute that holds a reference ends."""
    quote = _QUOTE.search(source, cref.start)
    return quote.start() if quote is not None else len(source)
