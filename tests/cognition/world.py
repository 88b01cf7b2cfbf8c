"""A small world: sources that declare types which use others, and kinds of nodes over them.

A source is lines such as `type A uses B C body 3`; whatever else a line says is a comment.
"""

from __future__ import annotations

import json
import re

from codecortex.cognition.engine import Engine
from codecortex.cognition.kinds import Inputs, Kind, LineName, Space, one_by_one
from codecortex.model.cognition.records import ABSENT, digest_text

DECLARATION = re.compile(r"type (\w+) uses ([\w ]*?) ?body (\d+)")

WORK = LineName("work")


def read_source(text):
    return [(name, uses.split(), body) for name, uses, body in DECLARATION.findall(text)]


def build_part(ask, path):
    text = ask.given("source", path)
    return None if text is None else json.dumps(read_source(text)).encode()


def export_part(output):
    declared = json.loads(output)
    return {
        "part.types": {name: digest_text(json.dumps((uses, body))) for name, uses, body in declared},
        "part.bodies": {name: digest_text(body) for name, _, body in declared},
    }


def build_type(ask, name):
    parts = ask.exporters("part.types", name)
    declared = [each for path in parts for each in json.loads(ask.peek("part", path)) if each[0] == name]
    if not declared:
        return None
    ask.tell(f"{name} has {len(parts)} parts")
    return json.dumps(sorted({use for _, uses, _ in declared for use in uses})).encode()


def build_outline(ask, name):
    output = ask.get("type", name)
    if output is None:
        return None
    found = ask.digests("type.heads", json.loads(output))
    return json.dumps({use: digest.hex() for use, digest in found.items()}).encode()


def build_pack(ask, key):
    limit = int(ask.given("setting", "limit") or 9)
    outlines = ask.get_many("outline", key.split("+")[:limit])
    return b"|".join(each or b"?" for each in outlines.values())


def make_kinds(inputs, version="1"):
    """The kinds; of a version that shows in every outline."""
    tell = inputs.spaces[0].look_up

    def build_binding(ask, path):
        text = ask.given("source", path)
        if text is None:
            return None
        names = sorted(set(re.findall(r"\w+", text)))
        answers = dict(zip(names, tell(names), strict=True))
        ask.note("count", answers)
        return json.dumps({name: digest.hex() for name, digest in answers.items() if digest != ABSENT}).encode()

    def build_outline_of(ask, name):
        output = build_outline(ask, name)
        return None if output is None else output + version.encode()

    return [
        Kind("part", "1", ("source",), one_by_one(build_part), ("part.types", "part.bodies"), export_part, "source"),
        Kind("type", "1", ("part.types",), one_by_one(build_type), over="part.types"),
        Kind("head", "1", ("type",), one_by_one(build_head), ("type.heads",), export_head, "part.types", keep=False),
        Kind("outline", version, ("type", "type.heads"), one_by_one(build_outline_of), over="part.types"),
        Kind("binding", "1", ("source", "count"), one_by_one(build_binding), over="source"),
        Kind("pack", "1", ("outline", "setting"), one_by_one(build_pack)),
    ]


def build_head(ask, name):
    output = ask.get("type", name)
    return None if output is None else json.dumps([name, output.decode()]).encode()


def export_head(output):
    name, uses = json.loads(output)
    return {"type.heads": {name: digest_text(uses)}}


def make_inputs(sources, limit="9"):
    """What a line is brought up to; the space `count` answers how many sources declare a name."""
    counts = {}
    for text in sources.values():
        for name, _, _ in read_source(text):
            counts[name] = counts.get(name, 0) + 1

    def look_up(names):
        return [digest_text(str(counts[name])) if name in counts else ABSENT for name in names]

    top = digest_text(json.dumps(sorted(counts.items())))
    return Inputs(
        {"source": dict(sorted(sources.items())), "setting": {"limit": limit}}, (Space("count", top, look_up),)
    )


def open_engine(nodes, sources, *, line=WORK, limit="9", version="1"):
    inputs = make_inputs(sources, limit)
    return Engine(nodes, line, make_kinds(inputs, version), inputs)


def ask_all(engine, sources):
    """Every output there is, by kind and key."""
    names = sorted({name for text in sources.values() for name, _, _ in read_source(text)})
    asked = {"part": sorted(sources), "binding": sorted(sources), "pack": ["A+B+C", "Nobody"]}
    asked |= {kind: [*names, "Nobody"] for kind in ("type", "head", "outline")}
    return {(kind, key): output for kind, keys in asked.items() for key, output in engine.get_many(kind, keys).items()}
