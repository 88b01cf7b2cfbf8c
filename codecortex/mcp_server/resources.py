"""Serves resources by address: outlines, packs, and the list of types, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from mcp_types import (
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from codecortex.model.errors import UsageError
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace

_SCHEME = "codecortex://"
_ADDRESS = compile_later(r"codecortex://(outline|pack|types)/([^/?#]+)")
_PAGE = 500
_MARKDOWN, _PLAIN = "text/markdown", "text/plain"


def list_templates() -> ListResourceTemplatesResult:
    """The templates of addresses that contain an id or a number."""
    templates = (
        ("outline", "outline/{typeId}", "The outline of a type, whole", _MARKDOWN),
        ("pack", "pack/{name}", "The text of a pack, whole", _MARKDOWN),
        ("types", "types/{page}", f"Every type with its TypeId, {_PAGE} to a page, from page 1", _PLAIN),
    )
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(name=name, uri_template=_SCHEME + path, description=told, mime_type=kind)
            for name, path, told, kind in templates
        ]
    )


def list_resources(workspace: Workspace) -> ListResourcesResult:
    """The packs, and the first page of types; single types are not listed."""
    from codecortex.operations.packs.packs import list_packs

    packs = [
        Resource(name=pack.name, uri=f"{_SCHEME}pack/{quote(pack.name)}", description="A pack", mime_type=_MARKDOWN)
        for pack in list_packs(workspace).packs
    ]
    types = Resource(name="types", uri=f"{_SCHEME}types/1", description="Every type", mime_type=_PLAIN)
    return ListResourcesResult(resources=[types, *packs])


def read_resource(workspace: Workspace, uri: str) -> ReadResourceResult:
    """Read the resource at an address.

    Raises:
        UsageError: There is no such resource.
    """
    match = _ADDRESS.fullmatch(uri)
    if match is None:
        raise UsageError(f"No resource is called {uri[:200]!r}.", f"See the templates of {_SCHEME} addresses.")
    kind, name = match[1], unquote(match[2])
    if kind == "outline":
        text, mime = _read_outline(workspace, name), _MARKDOWN
    elif kind == "pack":
        text, mime = _read_pack(workspace, name), _MARKDOWN
    else:
        text, mime = _list_types(workspace, name), _PLAIN
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=mime, text=mend_halves(text))])


def _read_outline(workspace: Workspace, name: str) -> str:
    from codecortex.operations.catalog.describe import write_type_outline
    from codecortex.operations.queries.resolve import find_type

    entry, _ = find_type(workspace, name)
    return write_type_outline(workspace, entry.id)


def _read_pack(workspace: Workspace, name: str) -> str:
    from codecortex.operations.packs.packs import show_pack

    return show_pack(workspace, name).as_text()


def _list_types(workspace: Workspace, page: str) -> str:
    types = workspace.catalog.types
    pages = max(1, -(-len(types) // _PAGE))
    if not page.isascii() or not page.isdigit() or len(page) > len(str(pages)) or not 1 <= int(page) <= pages:
        raise UsageError(f"There is no page {page[:20]!r} of types.", f"Pages run from 1 to {pages}.")
    number = int(page)
    lines = [f"{entry.id}  {entry.kind}  {entry.display}" for entry in types[(number - 1) * _PAGE : number * _PAGE]]
    after = f"; more: {_SCHEME}types/{number + 1}" if number < pages else ""
    return "\n".join([f"{len(types):,} types, page {number} of {pages}{after}", *lines])
