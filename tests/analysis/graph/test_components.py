"""Components, fan-in and depth against the plainest definitions of them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.graph.components import count_fan_in, find_components, list_targets, measure_depth
from codecortex.analysis.types.references import Edge

NODES = "abcdefgh"
GRAPHS = st.dictionaries(
    st.sampled_from(NODES), st.lists(st.sampled_from(NODES), max_size=5, unique=True).map(tuple), max_size=8
)


def reach(graph, start):
    seen, pending = set(), [start]
    while pending:
        for target in graph.get(pending.pop(), ()):
            if target in graph and target not in seen:
                seen.add(target)
                pending.append(target)
    return seen


@given(GRAPHS)
def test_components_are_what_reaches_itself_and_dependencies_come_first(graph):
    components = find_components(graph)
    closure = {node: reach(graph, node) for node in graph}
    expected = {
        tuple(sorted({node} | {other for other in graph if other in closure[node] and node in closure[other]}))
        for node in graph
    }
    assert set(components) == expected
    assert len(components) == len(expected)
    place = {node: number for number, component in enumerate(components) for node in component}
    assert all(place[target] <= place[node] for node in graph for target in graph[node] if target in graph)


@given(GRAPHS)
def test_components_do_not_depend_on_the_order_of_nodes(graph):
    assert find_components(graph) == find_components(dict(reversed(graph.items())))


@given(GRAPHS)
def test_fan_in_counts_dependents(graph):
    every = set(graph) | {target for found in graph.values() for target in found}
    assert count_fan_in(graph) == {node: sum(node in found for found in graph.values()) for node in every}


@given(GRAPHS)
def test_depth_is_the_shortest_way_to_a_leaf(graph):
    def measure(start):
        steps, level, seen = 0, {start}, {start}
        while level:
            if any(not any(t in graph for t in graph[node]) for node in level):
                return steps
            level = {t for node in level for t in graph[node] if t in graph} - seen
            seen |= level
            steps += 1
        return 0

    assert measure_depth(graph) == {node: measure(node) for node in graph}


def test_targets_are_structural_unless_bodies_are_asked_for():
    edges = {
        "a": (Edge("b", structural=True, count=2, candidates=()), Edge("c", structural=False, count=0, candidates=()))
    }
    assert list_targets(edges, bodies=False) == {"a": ("b",)}
    assert list_targets(edges, bodies=True) == {"a": ("b", "c")}


@pytest.mark.slow
def test_a_chain_of_100_000_takes_linear_time_and_no_recursion():
    count = 100_000
    start = time.process_time()
    chain = {str(n): (str(n + 1),) if n + 1 < count else () for n in range(count)}
    assert len(find_components(chain)) == count
    assert measure_depth(chain)["0"] == count - 1
    ring = chain | {str(count - 1): ("0",)}
    assert [len(component) for component in find_components(ring)] == [count]
    assert set(measure_depth(ring).values()) == {0}
    assert time.process_time() - start < 8


def test_a_star_of_100_000_takes_linear_time():
    star = {"hub": tuple(map(str, range(100_000)))} | {str(n): ("hub",) for n in range(100_000)}
    start = time.process_time()
    assert len(find_components(star)) == 1
    assert count_fan_in(star)["hub"] == 100_000
    assert time.process_time() - start < 4
