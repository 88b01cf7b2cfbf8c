from pathlib import Path

import pytest

from codecortex.parsing.csharp.read import read_csharp

FILES = sorted((Path(__file__).parents[2] / "cases" / "csharp").glob("*.cs"))


def render(facts):
    out = [f"conditional {facts.conditional}, degraded {facts.degraded or 'no'}"]
    for scope in facts.scopes:
        usings = [
            f"{u.alias}={u.target}" if u.alias else ("static " if u.static else "") + u.target for u in scope.usings
        ]
        out.append(f"scope {scope.namespace or '(file)'}: {', '.join(usings)}")
    for t in facts.types:
        out += ["", f"{t.line}-{t.end_line} {' '.join(filter(None, (t.accessibility, *t.modifiers, t.kind, t.fqn)))}"]
        out += [f"  {label}: {'; '.join(values)}" for label, values in _sections(t) if values]
        out += [f"    {line}" for m in t.members for line in _render_member(m)]
    return "\n".join(out) + "\n"


def _sections(t):
    yield "bases", t.bases
    yield "where", t.constraints
    yield "attributes", t.attributes
    yield "doc", (t.doc,) if t.doc else ()
    yield "surface", [f"{name} {count}" for name, count in t.surface]
    yield "inner", t.inner.split()


def _render_member(m):
    parameters = ", ".join(" ".join(filter(None, (p.modifier, p.type, p.name))) for p in m.parameters)
    name = f"{m.explicit_interface}." * bool(m.explicit_interface) + m.name
    accessors = " ".join(" ".join(filter(None, pair)) for pair in m.accessors)
    words = (m.accessibility, *m.modifiers, m.kind, m.type, name)
    yield f"{m.line}-{m.end_line} {' '.join(filter(None, words))}({parameters}) {accessors}".rstrip()
    for label in ("constraints", "attributes", "receiver", "value", "doc"):
        if value := getattr(m, label):
            yield f"  {label}: {value if isinstance(value, str) else '; '.join(value)}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_case(file, case_snapshot):
    assert render(read_csharp(file.read_bytes(), frozenset())) == case_snapshot(name=file.stem)
