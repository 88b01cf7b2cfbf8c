"""The commands in modules of their own, with what `codecortex --help` says of each, which then imports none of them."""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple


class Elsewhere(NamedTuple):
    """A command that is imported on demand.

    Attributes:
        module: The module below `codecortex.cli` that has it.
        summary: The first sentence of its help; empty for one that the list of commands leaves out.
    """

    module: str
    summary: str


ELSEWHERE = {
    "alias": Elsewhere("upkeep.aliases", "Say what types were called before, and settle doubts."),
    "bindings": Elsewhere("queries.bindings", "Tell what names in files mean, or the one at a place."),
    "blame": Elsewhere("queries.history", "Show the commit that last changed each member of a type."),
    "cache": Elsewhere("upkeep.caching", "Look into the local cache, and look after it."),
    "callees": Elsewhere("queries.calls", "Show what a member calls, some steps on."),
    "callers": Elsewhere("queries.calls", "Show what calls a member, some steps back."),
    "changes": Elsewhere("queries.changes", "Say which types changed between two trees, and how."),
    "chat": Elsewhere("chat.chat", "Talk with a model about the code."),
    "check": Elsewhere("upkeep.check", "Say where .codecortex is not what the sources make it."),
    "config": Elsewhere("upkeep.configuration", "Show the settings in force, and where each comes from."),
    "context": Elsewhere("packing.window", "Find the code that a question needs; put types into the Focus."),
    "conversation": Elsewhere("packing.conversations", "Look after conversations: rounds of questions."),
    "diff": Elsewhere("queries.history", "Show how a type differs between two trees."),
    "dismiss": Elsewhere("packing.window", "Keep a type out of the window until it is asked for again."),
    "doctor": Elsewhere("upkeep.doctor", "Say what of the set-up works and what does not."),
    "edit": Elsewhere("editing.edit", "Change files in a session, each step answered."),
    "graph": Elsewhere("queries.graph", "Show what a type names, or what names it."),
    "hook": Elsewhere("upkeep.hook", ""),
    "hooks": Elsewhere("upkeep.hooks", "Put git hooks where they will run, or take them away."),
    "investigate": Elsewhere("notes.investigate", "Have a question answered, with evidence that is checked."),
    "live": Elsewhere("editing.live", "Print what a model should see of a file right now."),
    "log": Elsewhere("queries.history", "List the commits that changed a type, newest first."),
    "mcp": Elsewhere("mcp", "Serve agents: an MCP server on stdin and stdout."),
    "merge-driver": Elsewhere("upkeep.hooks", "Merge the notes of two branches into OURS; git calls this."),
    "ops": Elsewhere("notes.ops", "List, show, follow and cancel runs that ask or write."),
    "outline": Elsewhere("queries.outline", "Print the outline of a type, member, namespace or file."),
    "pack": Elsewhere("packing.packs", "Keep texts about several types, each within a budget."),
    "pin": Elsewhere("packing.window", "Keep a type in the prompt window."),
    "read": Elsewhere("queries.read", "Print lines of files with their numbers."),
    "refactor": Elsewhere("editing.refactor", "Change sources by symbol, safely."),
    "resolve": Elsewhere("queries.find", "Print what a name means, best first."),
    "search": Elsewhere("queries.find", "Print the symbols that some words are about, best first."),
    "semantic": Elsewhere("notes.semantic", "Show, write and list semantic notes on types."),
    "session": Elsewhere("editing.session", "Keep versions of the work tree, apart from branches."),
    "status": Elsewhere("queries.status", "Say what was read, what is behind, how long runs took."),
    "trust": Elsewhere("notes.trust", "Allow what this repository wants to run or to send to."),
    "unpin": Elsewhere("packing.window", "Let go of a type that was pinned."),
    "usages": Elsewhere("queries.usages", "List where a symbol is used in code, most certain first."),
    "watch": Elsewhere("upkeep.watch", "Refresh whenever a source changes, until Ctrl-C."),
    "window": Elsewhere("packing.window", "Print the prompt window: pinned, in focus, asked for."),
}
