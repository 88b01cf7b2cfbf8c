"""The cognition graph: nodes, what each was made from, and which of them still hold.

A node is a kind and a key. What may be asked for stands under *names*, each in a *space*, and has a digest of 16 bytes;
`ABSENT` is the digest of what is not there, an answer like any other. There are four sorts of spaces:

- given ones: names and values that the caller hands in (`source`: path to blob; settings);
- provided ones: the caller looks names up when asked (`Space`), and says by one digest, `top`, whether any answer can
  have changed;
- kinds: the name is the key of a node, the digest that of its output;
- exported ones: parts of outputs under names of their own, such as the types that files declare. Any number of nodes
  may export one name; its digest is over all of them.

A kind names the spaces that its builder may ask, all given, provided, or of kinds before it. Builders get their inputs
from an `Ask` alone, which notes each name with the digest of the answer. A node holds while these digests are what they
were: if its inputs were made anew but came out the same, nothing above them is looked at.

    def build_outline(ask: Ask, fqn: str) -> bytes | None:      # None: there is no such node
        declared = ask.get("type", fqn)                          # another node
        if declared is None:
            return None
        heads = ask.digests("heads", list_names(declared))       # many names at once; ABSENT where there is nothing
        return write(declared, heads)

    outline = Kind("outline", "1", ("type", "heads"), one_by_one(build_outline), over="declared")

A builder gets all nodes that are to be made in one call (`Kind.build`), so that it can read or parse in bulk. One that
looks names up in tables of its own hands over what it looked up in one go:

    def build_bindings(asks):                                    # {path: Ask}
        for path, ask in asks.items():
            blob = ask.given("source", path)
            if blob is None:
                yield path, None
                continue
            bound = bind(path, tables)                           # remembers what it looked for
            ask.note("names", {name: tables.digest(name) for name in bound.looked_up})
            yield path, bound.packed

    names = Space("names", top=tables.digest_of_everything, look_up=lambda found: map(tables.digest, found))
    bindings = Kind("bindings", "1", ("source", "names"), build_bindings, over="source")

    inputs = Inputs({"source": {path: blob}, "setting": {"hash.rules": "..."}}, (names,))
    engine = Engine(SqliteNodes(cache), LineName("work"), (bindings,), inputs)
    engine.get("bindings", path)                                 # one, fresh
    engine.get_many("bindings", paths)                           # many
    engine.settle("bindings")                                    # all that `over` names keys of
    engine.save()                                                # one transaction; ends the use of this engine

What a digest says must be all that a builder takes from the answer: if it uses the path of a declaration, the digest
holds the path. `Kind.version` changes whenever a builder gives other bytes for the same inputs.

A *line* is the state of one tree: a work tree, an index, a session, a revision. Records and outputs are shared by all
lines, so that one which starts from another costs only the difference. With `SqliteNodes` over a cache that keeps
nothing everything is built and nothing is kept; the answers are the same.

`kinds`: what callers describe. `ask`: what builders see. `engine`: which nodes hold. `line`: what is known of a tree.
`digests`: what answers to names now. `changes`: what a new record changes. `exports`: who exports which names.
`interface`: what a store does (`store/cache/nodes.py`).
"""
