"""Carries out many edits of one verb in a row in a checkout, which a compiler then judges as a whole.

    python benchmarks/refactor_chain.py VERB CHECKOUT COUNT SEED FOLDER...

VERB is `move`, `extract-interface`, `signature` (a new parameter), `order` (of parameters, turned round) or `remove`
(the last one). CHECKOUT is a copy with git that may be changed; the symbols are drawn from the types below the folders
(relative to it). For each edit what it came to is told, at last the numbers; `dotnet build` before and after says
whether there are new errors.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.errors import CodecortexError, UsageError
from codecortex.operations.catalog.declared_types import read_plain_types
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.refactoring.interfaces.extract import Wanted, extract_interface
from codecortex.operations.refactoring.moving.move import Destination, move
from codecortex.operations.refactoring.results import EditRequest
from codecortex.operations.refactoring.signatures.signature import NewParameter, change_signature, read_parameters
from codecortex.operations.request import Request
from codecortex.symbols.members import name_member

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.refactoring.results import EditResult


def list_types(root: Path, folders: Sequence[str]) -> list[TypeEntry]:
    """The types below folders that are not nested."""
    with Workspace(Request(root)) as workspace:
        found = [each for each in workspace.catalog.types if "+" not in each.fqn and not each.generated]
        return [each for each in found if any(each.files[0].startswith(f"{folder}/") for folder in folders)]


def move_one(asked: EditRequest, entry: TypeEntry, number: int) -> EditResult:
    """Move a type: every second one to another file, the others to another namespace."""
    folder = entry.files[0].rpartition("/")[0]
    file = f"{folder}/Moved/{entry.simple_name}{number}.cs"
    namespace = f"{entry.fqn.rpartition('.')[0]}.Moved".lstrip(".")
    goal = Destination(file=file) if number % 2 else Destination(namespace=namespace)
    try:
        return move(asked, entry.id, goal)
    except CodecortexError as problem:
        if number % 2 or "--to-file" not in problem.hint:
            raise
        return move(asked, entry.id, Destination(file, namespace))


def extract_one(asked: EditRequest, entry: TypeEntry, number: int) -> EditResult:
    """Make an interface of a type."""
    return extract_interface(asked, entry.id, Wanted(f"IExtracted{number}"))


def choose_member(asked: EditRequest, entry: TypeEntry, number: int, least: int = 0) -> tuple[str, list[str]]:
    """A method or a constructor of a type with so many parameters at least, and their names."""
    with Workspace(asked.request) as workspace:
        facts = read_plain_types(workspace.inputs, workspace.catalog, (entry.id,))[entry.id].members
        every = [each for each in workspace.catalog.members_of(entry.id) if each.kind in ("method", "constructor")]
        members = [each for each in every if len(facts[each.number].facts.parameters) >= least]
        if not members:
            raise UsageError(f"{entry.display} has no such method.")
        chosen = random.Random(number).choice(members)  # noqa: S311
        return name_member(entry, chosen), [each.name for each in facts[chosen.number].facts.parameters]


def order_one(asked: EditRequest, entry: TypeEntry, number: int) -> EditResult:
    """Turn the parameters of a method round."""
    name, parameters = choose_member(asked, entry, number, 2)
    return change_signature(asked, name, read_parameters(NewParameter(), (), ",".join(reversed(parameters))))


def remove_one(asked: EditRequest, entry: TypeEntry, number: int) -> EditResult:
    """Take the last parameter of a method away."""
    name, parameters = choose_member(asked, entry, number, 1)
    return change_signature(asked, name, read_parameters(NewParameter(), parameters[-1:], ""))


def change_one(asked: EditRequest, entry: TypeEntry, number: int) -> EditResult:
    """Add a parameter to a method of a type: every second one with a default value."""
    name, _ = choose_member(asked, entry, number)
    text = f"int added{number} = 0" if number % 2 else f"int added{number}"
    new = NewParameter(text, "" if number % 2 else "0")
    return change_signature(asked, name, read_parameters(new, (), ""))


VERBS: dict[str, Callable[[EditRequest, TypeEntry, int], EditResult]] = {
    "move": move_one,
    "extract-interface": extract_one,
    "signature": change_one,
    "order": order_one,
    "remove": remove_one,
}


def main() -> None:
    """Run it."""
    verb, checkout, count, seed, *folders = sys.argv[1:]
    root = Path(checkout)
    chosen = list_types(root, folders)
    random.Random(int(seed)).shuffle(chosen)  # noqa: S311
    outcomes: Counter[str] = Counter()
    for number, entry in enumerate(chosen):
        if outcomes["done"] == int(count):
            break
        started = time.process_time()
        try:
            result = VERBS[verb](EditRequest(Request(root), write=True), entry, number)
            state, told = result.state, f"{len({each.file for each in result.edits})} files"
        except CodecortexError as problem:
            state, told = "refused", f"{problem} {problem.hint}"
        outcomes[state] += 1
        print(f"{time.process_time() - started:6.2f} s  {state:8} {entry.display}: {told}", flush=True)
    print(dict(outcomes))


if __name__ == "__main__":
    main()
