"""Accumulations: their text, their trees against generators written by hand, and their errors."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec import schedule
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator
from spec.errors import Malformed
from spec.patterns import Level, Where
from spec.schedule import Schedule
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree, canonical

Nest = Any  # a leaf, "zero", or a list of nests
parse = Accumulation.parse


def nest(tree: Tree) -> Nest:
    """Return a tree as nested lists of leaves."""
    made: list[Nest] = list(range(tree.n))
    for node in tree.nodes:
        made.append(["zero" if c == ZERO else made[c] for c in node.children])
    return made[tree.root]


def chain(items: list[Nest]) -> Nest:
    total = items[0]
    for item in items[1:]:
        total = [total, item]
    return total


def pairs(items: list[Nest]) -> Nest:
    while len(items) > 1:
        items = [
            items[i] if i + 1 == len(items) else [items[i], items[i + 1]] for i in range(0, len(items), 2)
        ]
    return items[0]


def halves(items: list[Nest]) -> Nest:
    middle = len(items) // 2
    return items[0] if len(items) == 1 else [halves(items[:middle]), halves(items[middle:])]


def strided(items: list[Nest]) -> Nest:
    return items[0] if len(items) == 1 else [strided(items[0::2]), strided(items[1::2])]


def numpy_sum(items: list[Nest]) -> Nest:
    """NumPy's documented pairwise sum: fewer than 8 one by one; to 128 in 8 accumulators; else two parts."""
    n = len(items)
    if n < 8:
        return chain(items)
    if n <= 128:
        r = [chain([items[i] for i in range(lane, n - n % 8, 8)]) for lane in range(8)]
        total = [[[r[0], r[1]], [r[2], r[3]]], [[r[4], r[5]], [r[6], r[7]]]]
        return chain([total, *items[n - n % 8 :]])
    first = (n // 2) // 8 * 8
    return [numpy_sum(items[:first]), numpy_sum(items[first:])]


def in_blocks(k: int, items: list[Nest]) -> list[list[Nest]]:
    return [items[i : i + k] for i in range(0, len(items), k)]


def in_lanes(k: int, items: list[Nest]) -> list[list[Nest]]:
    lanes: dict[int, list[Nest]] = {}
    for i, item in enumerate(items):
        lanes.setdefault(i % k, []).append(item)
    return [lanes[i] for i in sorted(lanes)]


def vector(k: int, items: list[Nest]) -> Nest:
    whole = len(items) // k * k
    parts = [chain([chain(lane) for lane in in_lanes(k, items[:whole])])] if whole else []
    return chain([*parts, *([chain(items[whole:])] if items[whole:] else [])])


BY_HAND: dict[str, Any] = {
    "left": chain,
    "right": lambda x: x[0] if len(x) == 1 else [x[0], BY_HAND["right"](x[1:])],
    "balanced": pairs,
    "halves": halves,
    "strided": strided,
    "star": lambda x: x if len(x) > 1 else x[0],
    "pairwise": numpy_sum,
    "blocks(3)": lambda x: chain([chain(b) for b in in_blocks(3, x)]),
    "blocks(4: balanced; right)": lambda x: BY_HAND["right"]([pairs(b) for b in in_blocks(4, x)]),
    "lanes(4)": lambda x: chain([chain(lane) for lane in in_lanes(4, x)]),
    "lanes(4: left; balanced)": lambda x: pairs([chain(lane) for lane in in_lanes(4, x)]),
    "split(4)": lambda x: chain([chain(lane) for lane in in_lanes(4, x)]),
    "vector(4)": lambda x: vector(4, x),
}
SIZES = (1, 2, 3, 5, 7, 8, 9, 16, 21, 129, 200, 300)


@pytest.mark.parametrize("pattern", BY_HAND)
def test_the_tree_of_a_pattern_is_that_by_hand(pattern: str) -> None:
    accumulation = parse(f"{pattern} without init")
    for n in SIZES:
        assert nest(accumulation.tree(n)) == BY_HAND[pattern](list(range(n)))


def test_the_trees_of_seven_leaves() -> None:
    """By hand, from the one line of each pattern in the documentation."""
    expected = {
        "left(3)": "tree((0 1 2 3) 4 5 6)",
        "right": "tree(0 (1 (2 (3 (4 (5 6))))))",
        "halves": "tree((0 (1 2)) ((3 4) (5 6)))",
        "strided": "tree(((0 4) (2 6)) ((1 5) 3))",
        "lanes(4)": "tree(((((0 1) 5) ((0 2) 6)) (0 3)) (0 4))",
        "lanes(4; tail after)": None,
        "lanes(4: left; balanced; tail after)": "tree(((((0 1) (0 2)) ((0 3) (0 4))) 5) 6)",
        "lanes(4: left; balanced; tail apart)": "tree((((0 1) (0 2)) ((0 3) (0 4))) ((0 5) 6))",
        "blocks(4: left; left; tail joins)": "tree((((((0 1) 2) 3) 4) 5) 6)",
        "blocks(4: left; left; tail after)": "tree((((((0 1) 2) 3) 4) 5) 6)",
        "blocks(4: left; left; tail apart)": "tree(((((0 1) 2) 3) 4) ((0 5) 6))",
        "blocks(2) from zero": "tree(((0 ((zero 1) 2)) ((zero 3) 4)) ((zero 5) 6))",
        "left(3) fused(20) last": "tree((0 (1 2 3) fused(20)) (4 5 6) fused(20))",
    }
    for text, tree in expected.items():
        if tree is None:
            with pytest.raises(Malformed):
                parse(text)
        else:
            assert repr(parse(text).explicit(7)) == tree


@pytest.mark.parametrize("name", ["left", "balanced", "blocks(3)", "windows(2)", "windows(5)", "random(4)"])
@pytest.mark.parametrize("has_init", [True, False])
def test_a_schedule_and_its_accumulation_have_the_same_tree(name: str, has_init: bool) -> None:
    """Against the specification's steps, of which every schedule is made."""
    for n in (2, 3, 7, 12):
        made: list[Nest] = list(range(n))
        for lhs, rhs in schedule.parse(name).steps(n, has_init):
            made.append([made[lhs], made[rhs]])
        accumulation = Accumulation.of(schedule.parse(name))
        assert nest(accumulation.tree(n, has_init)) == made[-1]
        assert accumulation == parse(name)


def test_an_explicit_schedule_is_an_explicit_tree() -> None:
    assert Accumulation.of(Schedule("tree", ((0, 1), (2, 3), (4, 5)))) == parse("tree((0 1) (2 3))")
    assert Accumulation.of(Schedule("tree", ((0, 1), (0, 2), (3, 4)))) == parse("tree((0 1) (0 2))")
    assert parse("tree(0 1, 3 2)") == parse("tree((0 1) 2)") == parse("tree(((0 1)) 2)")
    assert Accumulation.of(schedule.tree([])) == parse("tree(0)")


def test_texts_of_accumulators_mean_accumulations() -> None:
    groups = "blocks(4: left in i16 saturate; left in i32) from zero"
    assert parse("i16 saturate blocks(4) i32") == parse(groups) == parse(f" {groups} ")
    assert parse("i16 split(4) i32") == parse("lanes(4: left in i16 wrap; left in i32) from zero")
    assert parse("maddubs") == parse("blocks(2: left in i16 saturate; left in i32) from zero")
    assert parse("i16") == parse("i16 wrap") == parse("left in i16") == Accumulation.of(16)
    assert Accumulation.of(Accumulator(20, True)) == parse("left in i20 saturate")
    assert parse("f16 blocks(8)") == parse("blocks(8) in f16 from zero")
    assert Accumulation.of("f16", "balanced") == parse("balanced in f16")
    assert Accumulation.of("i16 blocks(4) i32", "balanced") == parse(
        "blocks(4: left in i16; balanced in i32) from zero"
    )
    assert Accumulation.of({"%4": "i16"}) == {"%4": parse("left in i16")}


def test_what_a_level_leaves_open_is_that_of_the_level_around_it() -> None:
    written = parse("lanes(16: left fma; balanced) in f32")
    assert repr(written) == "lanes(16: left fma in f32; balanced in f32)"
    assert written == parse("lanes(16: left fma in f32; balanced) in f32")
    inside = parse("blocks(8: left in f16; left) in i16 saturate")
    assert repr(inside) == "blocks(8: left in f16; left in i16 saturate)"
    assert parse("vector(4)") == parse("lanes(4: left; left; tail apart)")
    assert parse("split(4)") == parse("lanes(4: left; left; tail joins)") == parse("lanes(4)")
    assert parse("left(1) plain to nearest") == parse("left")
    assert parse("blocks(2: left in f32; left; tail apart in f32)") == parse(
        "blocks(2: left in f32; left; tail apart)"
    )


def test_the_number_of_elements_may_decide() -> None:
    both = parse("lanes(4: left; balanced) where n < 4: left; where n >= 6: pairwise; without init")
    assert both.where == (Where(True, 4, Level()), Where(False, 6, Level("pairwise")))
    for n, text in (
        (3, "left"),
        (4, "lanes(4: left; balanced)"),
        (5, "lanes(4: left; balanced)"),
        (6, "pairwise"),
    ):
        assert both.tree(n) == parse(f"{text} without init").tree(n)
    counted = parse("right where n < 4: left;")
    assert counted.tree(4) == parse("left").tree(4)
    assert counted.tree(5) == parse("right").tree(5)


def test_fma_keeps_which_child_enters_unrounded() -> None:
    assert repr(parse("balanced fma").explicit(4)) == "tree((0 1') (2 3')) fma"
    assert repr(parse("balanced fma without init").explicit(4)) == "tree((0 1') (2 3')) fma without init"
    assert repr(parse("right fma without init").explicit(3)) == "tree(0' (1 2')) fma without init"
    other = parse("tree((0 1') (2' 3)) fma")
    assert other != parse("balanced fma").explicit(4)
    assert repr(other) == "tree((0 1') (2' 3)) fma"
    mixed = parse("tree((0 1) plain 2') fma in f32")
    assert [node.arithmetic for node in mixed.tree(3).nodes] == [PLAIN, Arithmetic("fma", type="f32")]


def test_an_explicit_tree_is_the_same_value() -> None:
    for text in (
        "balanced",
        "pairwise in f64",
        "lanes(3: left fma; balanced) without init",
        "blocks(2) from zero",
    ):
        accumulation = parse(text)
        explicit = accumulation.explicit(7)
        assert explicit.tree(7) == accumulation.tree(7)
        assert hash(explicit.tree(7)) == hash(accumulation.tree(7))
        with pytest.raises(Malformed, match="an explicit tree has 7 leaves, got 8"):
            explicit.tree(8)
    assert parse("left").explicit(2) == parse("balanced").explicit(2) == parse("tree(0 1)")


def test_a_deep_tree_neither_recurses_nor_loses_leaves() -> None:
    deep = parse("right without init").explicit(5000)
    assert parse(repr(deep)) == deep
    assert sorted(leaves(deep.tree(5000))) == list(range(5000))


def leaves(tree: Tree) -> list[int]:
    inside = [c for node in tree.nodes for c in node.children if 0 <= c < tree.n]
    return inside if tree.nodes else [tree.root]


FLOATS = ("", "f32", "f64", "bf16", "f8E4M3FN")
real = st.builds(
    Arithmetic,
    st.sampled_from(["plain", "fma", "exact"]),
    type=st.sampled_from(FLOATS),
    products=st.sampled_from(FLOATS),
    rounding=st.sampled_from(["", "toward zero"]),
    flush=st.booleans(),
)
fused = st.builds(
    Arithmetic,
    st.just("fused"),
    st.integers(0, 40),
    nearest=st.booleans(),
    normalized=st.booleans(),
    type=st.sampled_from(FLOATS),
    cut=st.none() | st.integers(0, 30),
    rounding=st.sampled_from(["", "toward zero"]),
)
whole = st.builds(
    Arithmetic, type=st.sampled_from(["i2", "i16", "i32", "i64"]), rounding=st.sampled_from(["", "saturate"])
)
arithmetics = st.one_of(st.just(PLAIN), real, fused, whole)


def random_tree(seed: int, n: int, arithmetic: Arithmetic) -> Tree:
    """Join random nodes, two or three at a time, until one is left."""
    draw = random.Random(seed)
    roots, nodes = list(range(n)), list[Node]()
    while len(roots) > 1:
        draw.shuffle(roots)
        children = [roots.pop() for _ in range(min(len(roots), draw.choice([2, 2, 3])))]
        inside = [p for p, child in enumerate(children) if child < n]
        mark = draw.choice(inside) if inside and arithmetic.kind == "fma" else None
        nodes.append(
            Node(tuple(children), draw.choice([arithmetic, PLAIN]) if mark is None else arithmetic, mark)
        )
        roots.append(n + len(nodes) - 1)
    return canonical(n, nodes, roots[0])


simple = st.builds(
    Level,
    st.sampled_from(["left", "right", "balanced", "halves", "strided", "pairwise", "star"]),
    st.just(()),
    arithmetics,
)
numbered = st.builds(
    lambda name, k, a: Level(name, (k,), a),
    st.sampled_from(["left", "windows", "random"]),
    st.integers(2, 9),
    arithmetics,
)
explicit = st.builds(
    lambda seed, n, a: Level("tree", tree=random_tree(seed, n, a)),
    st.integers(0, 999),
    st.integers(1, 12),
    arithmetics,
)
level = st.recursive(
    simple | numbered,
    lambda inside: st.builds(
        lambda name, k, inner, outer, tail: Level(name, (k,), PLAIN, inner, outer, *tail),
        st.sampled_from(["blocks", "lanes"]),
        st.integers(1, 9),
        inside,
        inside,
        st.one_of(
            st.tuples(st.sampled_from(["", "joins"]), st.none()),
            st.tuples(st.sampled_from(["after", "apart"]), st.none() | arithmetics),
        ),
    ),
    max_leaves=4,
)


@st.composite
def accumulations(draw: st.DrawFn) -> Accumulation:
    base = draw(level | explicit)
    where = draw(st.lists(st.builds(Where, st.booleans(), st.integers(0, 20), level), max_size=2))
    grouped = any(each.is_grouping for each in (base, *(w.level for w in where)))
    starts = ["", "without init", *(["from zero"] if grouped else [])]
    return Accumulation(base, tuple(where), draw(st.sampled_from(starts)), draw(st.booleans()))


@given(accumulations())
@settings(max_examples=300)
def test_the_text_reads_back(accumulation: Accumulation) -> None:
    text = repr(accumulation)
    assert parse(text) == accumulation
    assert repr(parse(text)) == text
    assert hash(parse(text)) == hash(accumulation)


@given(level, st.integers(1, 70), st.sampled_from(["", "without init", "from zero"]))
@settings(max_examples=200)
def test_every_leaf_has_one_place_in_a_tree(level: Level, n: int, start: str) -> None:
    if start == "from zero" and not level.is_grouping:
        start = ""
    accumulation = Accumulation(level, (), start)
    tree = accumulation.tree(n)
    places = sorted(leaf for leaf in leaves(tree) if leaf or start == "without init")
    assert places == list(range(start != "without init", n)) or (n == 1 and places == [])
    if start != "without init":
        assert tree.places_of_init() >= 1
    text = accumulation.explicit(n)
    assert parse(repr(text)) == text
    assert text.tree(n) == tree


MALFORMED = {
    "": "expected one of left",
    "lefty": "expected one of left",
    "left left": "expected the end",
    "blocks": "expects one number",
    "blocks(0)": "expected 1 or more",
    "windows(1)": "expected 2 or more",
    "balanced(3)": "expects no number",
    "blocks(4: left; left; tail beside)": "expected joins or after or apart",
    "left from zero": "no groups that start from zero",
    "left in i1": "not a type of sums",
    "left in ui8": "not a type of sums",
    "left in complex": "not a type of sums",
    "left in f80": "not a type of sums",
    "left in i16 fma": "sums of integers are exact",
    "left in i16 toward zero": "integers wrap or saturate",
    "left in f32 saturate": "floats neither wrap nor saturate",
    "left in f32 products in i16": "both integers, or both floats",
    "left cut 3": "only a fused node is cut",
    "left fused(13) last": "adds an old accumulator last",
    "left fma fma": "expected each part of an arithmetic once",
    "windows(4: left)": "windows has no levels of its own",
    "vector(4: left; left; tail after)": "the tail of vector is a block apart",
    "tree()": "expected leaves in a list",
    "tree((0 1)": "expected an integer",
    "tree(0 1 1)": "leaf 1 has 2 places",
    "tree(0 2)": "leaf 1 has 0 places",
    "tree(0 1') plain": "enters a node unrounded",
    "tree(0' 1') fma": "expected one mark",
    "tree(0 999999999)": "names the leaf",
    "left where n < 3 left;": "expected :",
    "blocks(2: " * 20 + "left" + ")" * 20: "levels within levels",
    "left(99999999999)": "expected an integer below",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_not_an_accumulation_says_what_was_expected(text: str) -> None:
    with pytest.raises(Malformed) as error:
        parse(text)
    assert MALFORMED[text] in str(error.value)
    assert len(str(error.value)) < 1000


@given(st.text(alphabet="left blocks(4:;)' 01 fma in f32 tree where n < without init", max_size=40))
@settings(max_examples=300)
def test_any_text_parses_or_is_malformed(text: str) -> None:
    with suppress(Malformed):
        assert parse(repr(parse(text))) == parse(text)


@pytest.mark.parametrize("given", [None, 3.5, True, [1]])
def test_another_object_is_malformed(given: Any) -> None:
    with pytest.raises(Malformed):
        parse(given)
    with pytest.raises(Malformed):
        Accumulation.of(given)


def test_the_tree_of_numpys_own_sum_is_pairwise() -> None:
    """1,000 random sums of f32 each, added by hand along the tree, have the bits of `numpy.sum`."""
    rng = np.random.default_rng(0)
    for n in (5, 8, 17, 100, 128, 129, 257, 1000):
        x = rng.standard_normal((n, 200)).astype(np.float32) * np.exp2(rng.integers(-9, 9, (n, 200))).astype(
            np.float32
        )
        made = list(x)
        for node in parse("pairwise without init").tree(n).nodes:
            lhs, rhs = node.children
            made.append(made[lhs] + made[rhs])
        expected = np.array([np.sum(np.ascontiguousarray(column)) for column in x.T])
        assert made[-1].tolist() == expected.tolist()


PAGE = Path(__file__).parent.parent / "docs" / "accumulations.md"


def test_the_page_has_the_tree_of_each_pattern() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| `([^`]+)` \| `([^`]+)` \|$", PAGE.read_text(), re.M)
    for pattern, with_init, without in rows:
        assert repr(parse(pattern).explicit(7)) == with_init
        assert repr(parse(f"{pattern} without init").explicit(7)) == f"{without} without init"
    shown = {re.match("[a-z]+", pattern)[0] for pattern, *_ in rows}  # type: ignore[index]
    assert shown == {
        *("left", "right", "balanced", "halves", "strided", "blocks", "windows", "lanes", "vector"),
        *("pairwise", "split", "star", "random"),
    }


def test_every_accumulation_of_the_page_parses() -> None:
    texts = re.findall(r"^    ([a-z].*)$", PAGE.read_text(), re.M)
    assert len(texts) > 5
    for text in texts:
        assert parse(repr(parse(text))) == parse(text)
