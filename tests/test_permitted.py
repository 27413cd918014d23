"""Results that some schedule gives, against all trees one by one; the verdicts, against the same trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from spec.errors import Malformed
from spec.formats import round_to
from spec.ir import Op, Region, Value
from spec.meaning.notation import fold
from spec.permitted import (
    Body,
    Membership,
    Permitted,
    State,
    TooMany,
    Values,
    membership,
)
from spec.schedule import Schedule, parse, tree, windows
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized
from spec.verdict import contiguous_sums
from tests.library.builders import region
from tests.library.oracles.bodies import (
    addition_is_integer,
    additive_type,
    body_of,
    each,
    extremes,
    is_monotone,
    permitted_results,
    verdict,
)
from tests.library.oracles.trees import Brute, by_integers

Element = ElementType | QuantizedType
RANDOM = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), max_examples=40)
# One operand; "0" is the first operation's result, "1" the second's.
BODIES = {
    "add": ["add a b"],
    "multiply": ["multiply a b"],
    "maximum": ["maximum a b"],
    "minimum": ["minimum b a"],
    "add then maximum": ["add a b", "maximum 0 a"],
    "minimum then add": ["minimum a b", "add 0 b"],
    "multiply then add": ["multiply a b", "add 0 b"],
    "subtract": ["subtract a b"],
}
EXPRESSED = ("f16", "bf16", "f32", "f8E4M3FN", "f8E5M2", "f8E5M2FNUZ", "f6E3M2FN", "f4E2M1FN", "f8E8M0FNU")
MONOTONE = ["add", "maximum", "minimum", "add then maximum", "minimum then add"]


ARGMAX = Region(
    tuple(Value(f"%{name}", TensorType((), ELEMENT_TYPES["i8"])) for name in ("a", "i", "b", "j")),
    (
        Op(
            "stablehlo.compare",
            (
                Value("%a", TensorType((), ELEMENT_TYPES["i8"])),
                Value("%b", TensorType((), ELEMENT_TYPES["i8"])),
            ),
            (Value("%p", TensorType((), ELEMENT_TYPES["i1"])),),
            {"comparison_direction": "GT"},
        ),
        *(
            Op(
                "stablehlo.select",
                tuple(
                    Value(f"%{n}", TensorType((), ELEMENT_TYPES["i1" if n == "p" else "i8"]))
                    for n in ("p", lhs, rhs)
                ),
                (Value(f"%{out}", TensorType((), ELEMENT_TYPES["i8"])),),
            )
            for lhs, rhs, out in (("a", "b", "c"), ("i", "j", "k"))
        ),
        Op("stablehlo.return", tuple(Value(f"%{n}", TensorType((), ELEMENT_TYPES["i8"])) for n in "ck"), ()),
    ),
)


@st.composite
def types(draw: st.DrawFn) -> QuantizedType:
    """Storage of 2 to 8 bits, any expressed type and parameters."""
    storage = f"{draw(st.sampled_from('iu'))}{draw(st.integers(2, 8))}"
    plain = make_quantized(storage, "f32", 1.0)
    low = draw(st.sampled_from([plain.storage_min, plain.storage_min + 1]))
    high = draw(st.integers(low + 1, plain.storage_max))
    scale = draw(st.one_of(st.sampled_from([1.0, 0.5, 0.25, 0.1]), st.floats(2e-3, 300.0)))
    expressed = draw(st.sampled_from(EXPRESSED))
    assume(0 < round_to(scale, ELEMENT_TYPES[expressed]) < inf)
    zero_point = draw(st.integers(low, high))
    return make_quantized(storage, expressed, scale, zero_point, storage_min=low, storage_max=high)


@st.composite
def cases(draw: st.DrawFn, most: int = 7) -> tuple[QuantizedType, list[int]]:
    type = draw(types())
    near = st.integers(max(type.storage_min, type.zero_point - 2), min(type.storage_max, type.zero_point + 2))
    anywhere = st.integers(type.storage_min, type.storage_max)
    return type, draw(st.lists(st.one_of(anywhere, near), min_size=1, max_size=most))


def by_hand(leaves: Sequence[State], body: Body) -> set[State]:
    return set(Brute(body).results(leaves).values())


def replayed(leaves: Sequence[State], body: Body, schedule: Schedule) -> State:
    """Return the oracle's fold in the schedule of the text."""
    halves = lambda *both: body(both[: len(both) // 2], both[len(both) // 2 :])
    return fold(halves, leaves, [True] * len(leaves), parse(repr(schedule)), seeded=True)


def check_witnesses(found: Permitted, leaves: Sequence[State], body: Body) -> None:
    for state in found.states:
        schedule = found.find_schedule(state)
        assert schedule is not None
        assert replayed(leaves, body, schedule) == state


def inits_of(schedule: Schedule, n: int) -> int:
    return sum(node == 0 for step in schedule.steps(n, seeded=True) for node in step)


@pytest.mark.slow("enumerates trees", rows=4)
@pytest.mark.parametrize("name", BODIES)
def test_the_set_is_that_of_all_trees(name: str) -> None:
    @settings(RANDOM)
    @given(cases())
    def check(case: tuple[QuantizedType, list[int]]) -> None:
        type, stored = case
        leaves, body = [(q,) for q in stored], Brute(region(BODIES[name], type)).body
        found = permitted_results(leaves, body)
        assert set(found.states) == by_hand(leaves, body)
        assert len(found.states) == len(set(found.states))
        check_witnesses(found, leaves, body)

    check()


@pytest.mark.slow("enumerates trees", rows=3)
@pytest.mark.parametrize("name", BODIES)
def test_the_set_with_any_number_of_inits(name: str) -> None:
    """It has what all trees with up to three inits give, anywhere or nowhere; and each of it has a tree."""

    @settings(RANDOM, max_examples=20)
    @given(cases(most=4).filter(lambda case: case[0].storage_type.bits <= 6))
    def check(case: tuple[QuantizedType, list[int]]) -> None:
        type, stored = case
        leaves, brute = [(q,) for q in stored], Brute(region(BODIES[name], type))
        found = permitted_results(leaves, brute.body, any_number_of_inits=True)
        every = brute.with_inits(leaves[0], leaves[1:], 3)
        assert set(every.values()) <= set(found.states)
        check_witnesses(found, leaves, brute.body)

    check()


def test_without_elements_only_inits_are_left() -> None:
    add = lambda a, b: (min(a[0] + b[0], 7),)
    assert permitted_results([(2,)], add).states == [(2,)]
    found = permitted_results([(2,)], add, any_number_of_inits=True)
    assert sorted(found.states) == [(2,), (4,), (6,), (7,)]
    check_witnesses(found, [(2,)], add)


def test_a_single_element_may_stand_alone() -> None:
    found = permitted_results([(2,), (5,)], lambda a, b: (min(a[0] + b[0], 7),), any_number_of_inits=True)
    assert sorted(found.states) == [(5,), (7,)]
    assert found.find_schedule((5,)) == tree([])


@settings(RANDOM)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_tuples(leaves: list[State]) -> None:
    """The greater first element takes its companion with it, the later where they are equal."""
    body = Brute(ARGMAX).body
    found = permitted_results(leaves, body)
    assert set(found.states) == by_hand(leaves, body) == {max(reversed(leaves), key=lambda s: s[0])}
    sums: Body = lambda a, b: (min(a[0] + b[0], 3), max(a[1] - b[0], 0))
    found = permitted_results(leaves, sums)
    assert set(found.states) == by_hand(leaves, sums)
    check_witnesses(found, leaves, sums)


@settings(RANDOM)
@given(cases(), st.sampled_from(MONOTONE))
def test_extremes_are_the_least_and_the_greatest(case: tuple[QuantizedType, list[int]], name: str) -> None:
    type, stored = case
    code = region(BODIES[name], type)
    assume(is_monotone(code))
    leaves, body = [(q,) for q in stored], Brute(code).body
    every = by_hand(leaves, body)
    assert extremes(leaves, body) == (min(every), max(every))
    found = permitted_results(leaves[:5], body, any_number_of_inits=True)
    assert extremes(leaves[:5], body, True) == (min(found.states), max(found.states))


@settings(RANDOM, max_examples=30)
@given(types().filter(lambda type: type.storage_type.bits <= 4), st.sampled_from(MONOTONE))
def test_bodies_called_monotone_are(type: QuantizedType, name: str) -> None:
    code = region(BODIES[name], type)
    assume(is_monotone(code))
    body, stored = body_of(code), range(type.storage_min, type.storage_max + 1)
    table = {(a, b): body((a,), (b,)) for a in stored for b in stored}
    assert all(
        table[a, b] <= table[c, d] for a, b in table for c, d in ((a + 1, b), (a, b + 1)) if (c, d) in table
    )


def test_what_is_not_monotone_is_not_called_so() -> None:
    i8, f32 = ELEMENT_TYPES["i8"], ELEMENT_TYPES["f32"]
    usual = make_quantized("i8", "f32", 0.5)
    assert is_monotone(region(["add a b"], usual))
    assert is_monotone(region(["maximum a b"], i8))
    assert not is_monotone(region(["add a b"], i8))  # it wraps
    assert not is_monotone(region(["multiply a b"], usual))
    assert not is_monotone(region(["subtract a b"], usual))
    assert not is_monotone(region(["add a b"], f32))  # a NaN has no place in the order
    far = make_quantized("i8", "f16", 1000.0)  # 100 stands for an infinity, and infinities cancel to NaN
    assert not is_monotone(region(["add a b"], far))
    assert body_of(region(["add a b"], far))((100,), (-100,)) == (0,)
    assert body_of(region(["add a b"], far))((100,), (-1,)) == (127,)
    assert not is_monotone(ARGMAX)


def test_which_bodies_are_additive() -> None:
    usual = make_quantized("i8", "f32", 0.5)
    assert additive_type(region(["add b a"], usual)) == usual
    assert additive_type(region(["add a a"], usual)) is None
    assert additive_type(region(["add a b", "maximum 0 a"], usual)) is None
    assert additive_type(region(["add a b"], ELEMENT_TYPES["i8"])) is None
    assert additive_type(ARGMAX) is None


def clamped(a: int, b: int, type: QuantizedType) -> int:
    return min(max(a + b - type.zero_point, type.storage_min), type.storage_max)


def clamps(schedule: Schedule, stored: Sequence[int], type: QuantizedType) -> bool:
    """Return whether a sum of this tree leaves the range, in exact arithmetic."""
    nodes, left = list(stored), False
    for lhs, rhs in schedule.steps(len(stored), seeded=True):
        left |= not type.storage_min <= nodes[lhs] + nodes[rhs] - type.zero_point <= type.storage_max
        nodes.append(clamped(nodes[lhs], nodes[rhs], type))
    return left


@pytest.mark.slow("enumerates trees")
@settings(RANDOM)
@given(cases())
@example((make_quantized("i8", "f32", 1.0), [100, 28, -128]))
@example((make_quantized("i8", "f16", 0.3, 100), [127, -128, -128, 5]))
@example((make_quantized("i8", "f32", 1.0), [-128, 100, 28, -128]))
def test_verdicts_are_those_of_all_trees(case: tuple[QuantizedType, list[int]]) -> None:
    type, stored = case
    found = verdict(stored, type)
    sums = {
        (i, j): sum(stored[i : j + 1]) - (j - i) * type.zero_point
        for i in range(len(stored))
        for j in range(i, len(stored))
    }
    assert found.total == (sums[0, len(stored) - 1], 0, len(stored) - 1)
    assert sums[found.witness.first, found.witness.last] == found.witness.value
    integer = addition_is_integer(type, min(sums.values()), max(sums.values()))
    z = type.zero_point
    every = by_integers([q - z for q in stored], type.storage_min - z, type.storage_max - z, wraps=False)
    assert found.kind == (every.kind if integer else "inexact")
    if found.kind == "safe":
        leaves = [(q,) for q in stored]
        assert permitted_results(leaves, body_of(region(["add a b"], type))).states == [(found.total.value,)]
    if found.kind == "order-dependent":
        assert [clamps(schedule, stored, type) for schedule in found.schedules] == [False, True]
        assert not type.storage_min <= found.witness.value <= type.storage_max


def test_two_schedules_that_disagree() -> None:
    """100 + 28 leaves i8 by one; with -1 in time it does not."""
    type = make_quantized("i8", "f32", 0.5)
    found = verdict([0, 100, 28, -1], type)
    body, leaves = body_of(region(["add a b"], type)), [(0,), (100,), (28,), (-1,)]
    assert (found.kind, found.witness.value) == ("order-dependent", 128)
    assert [replayed(leaves, body, s) for s in found.schedules] == [(127,), (126,)]


@pytest.mark.slow("searches long sums")
def test_verdicts_of_long_sums_are_fast_and_right() -> None:
    """A million ones fit i32; 100,000 do not fit i16, where 40,000 of each sign depend on the order."""
    narrow = make_quantized("i16", "f32", 1.0)
    assert verdict([1] * 100_000, narrow).kind == "inevitable"
    both = verdict([1] * 40_000 + [-1] * 40_000, narrow)
    assert (both.kind, both.total.value, len(both.schedules)) == ("order-dependent", 0, 2)
    assert verdict([1] * 1_000_000, make_quantized("i32", "f32", 0.3)).kind == "safe"
    assert verdict([2**21, 0], make_quantized("i32", "f32", 0.3)).kind == "inexact"


@settings(RANDOM)
@given(cases(most=4).filter(lambda case: case[0].storage_type.bits <= 5))
def test_verdicts_with_any_number_of_inits(case: tuple[QuantizedType, list[int]]) -> None:
    """Trees with as many inits as may matter, left alone with their sums."""
    type, stored = case
    found = verdict(stored, type, any_number_of_inits=True)
    assume(found.kind != "inexact")
    one = verdict(stored, type)
    init = stored[0] - type.zero_point
    if not init:
        assert found == one
        return
    elements = sum(q - type.zero_point for q in stored[1:]) + type.zero_point
    totals = [elements + k * init for k in range(2 if len(stored) > 1 else 1, 200)] + [elements]
    inside = any(type.storage_min <= total <= type.storage_max for total in totals)
    inside |= type.storage_min <= elements + init <= type.storage_max
    assert found.kind == ("order-dependent" if inside else "inevitable")


@pytest.mark.slow("draws for each type", rows=4)
@pytest.mark.parametrize("expressed", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("storage", ["i4", "i8", "u8", "i16", "i32"])
def test_where_addition_is_called_integer_it_is(expressed: str, storage: str) -> None:
    plain = make_quantized(storage, expressed, 1.0)

    @settings(RANDOM, max_examples=25)
    @given(
        st.one_of(st.sampled_from([1.0, 0.25, 2.0**-14, 2.0**-16]), st.floats(1e-6, 2000.0)),
        st.tuples(*[st.integers(-14, 14).map(lambda k: k**3)] * 3),
    )
    def check(scale: float, numbers: tuple[int, int, int]) -> None:
        bounded = [min(max(q, plain.storage_min), plain.storage_max) for q in numbers]
        type = make_quantized(storage, expressed, scale, bounded[2])
        a, b = bounded[:2]
        span = sorted((a, b, a + b - type.zero_point))
        if addition_is_integer(type, span[0], span[-1]):
            assert body_of(region(["add a b"], type))((a,), (b,)) == (clamped(a, b, type),)

    check()


def test_the_bound_of_integer_addition() -> None:
    """f16 has 11 bits, bf16 8, f32 24: magnitudes to 2^(p-4), to 2^p where the scale is a power of two."""

    def holds(storage: str, expressed: str, scale: float, zero_point: int, most: int) -> bool:
        return addition_is_integer(make_quantized(storage, expressed, scale, zero_point), -most, most)

    assert holds("i32", "f32", 0.3, 0, 2**20)
    assert not holds("i32", "f32", 0.3, 0, 2**20 + 1)
    assert holds("i32", "f32", 0.5, 0, 2**24)
    assert not holds("i32", "f32", 0.5, 0, 2**24 + 1)
    assert not holds("i32", "f32", 0.3, 1, 2**20)  # |q - zero_point|
    assert not holds("i32", "f32", 0.3, 2**20 + 1, 1)
    assert holds("i16", "f16", 0.3, 0, 2**7)
    assert not holds("i16", "bf16", 0.3, 0, 2**5)
    assert holds("i16", "f16", 2.0**-14, 0, 2**11)
    assert not holds("i16", "f16", 2.0**-15, 0, 2**11)  # subnormal
    assert not holds("i16", "f16", 300.3, 0, 2**7)  # 300.3 * 2^8 is an infinity
    assert holds("i8", "f16", 0.25, 0, 128)
    assert not holds("i8", "f16", 1000.0, 0, 127)  # enumeration meets the infinities
    assert holds("i8", "f16", 1000.0, 0, 1)


def test_contiguous_sums() -> None:
    assert contiguous_sums([3, -5, 4, 4, -9, 1]) == ((-9, 4, 4), (8, 2, 3))
    assert contiguous_sums([-2]) == ((-2, 0, 0), (-2, 0, 0))


@pytest.mark.slow("long sums")
def test_sixty_four_leaves_of_eight_bits() -> None:
    """The saturating sum of ±100, which depends on the order as much as a sum can."""
    add: Body = lambda a, b: (min(max(a[0] + b[0], -128), 127),)
    leaves = [(3,)] + [((-1) ** k * 100 + k,) for k in range(64)]
    found = permitted_results(leaves, add)
    check_witnesses(found, leaves, add)
    assert extremes(leaves, add) == (min(found.states), max(found.states))
    left = replayed(leaves, add, Schedule("left"))
    assert left in found
    assert all(inits_of(found.find_schedule(s), 65) == 1 for s in found.states[:3])  # type: ignore[arg-type]


def test_floats_are_told_apart_by_their_bits() -> None:
    body = body_of(region(["multiply a b"], ELEMENT_TYPES["f32"]))
    found = permitted_results([(-0.0,), (5.0,)], body)
    assert (-0.0,) in found
    assert (0.0,) not in found
    nan = float("nan")
    assert (nan,) in permitted_results([(nan,), (5.0,)], body)


def test_membership() -> None:
    """3 - 4 + 7 + 6 with a clamp at 9 is 9 from the left, and 8 otherwise."""
    add: Body = lambda a, b: (min(a[0] + b[0], 9),)
    leaves = [(3,), (-4,), (7,), (6,)]

    def judged(result: int, limit: int = 100) -> Membership:
        return membership(
            lambda states: next((s for s in states if s == (result,)), None), Values(each(add), limit), leaves
        )

    by_left = judged(9)
    assert by_left.kind == "permitted"
    assert by_left.schedule is not None
    assert replayed(leaves, add, by_left.schedule) == (9,)
    assert judged(7)[:2] == ("not permitted", "no schedule gives it, the permitted set is {8, 9}")
    assert judged(9, limit=2)[:2] == ("unknown", "the exact set of permitted results is too large to find")


@pytest.mark.slow("long sums")
def test_a_member_whose_witness_cannot_be_listed() -> None:
    """40 takes 2^40 inits where only equal numbers make a greater one."""
    step: Body = lambda a, b: (min(a[0] + 1, 40) if a == b else min(a[0], b[0]),)
    found = membership(lambda states: (40,), Values(each(step)), [(0,)], any_number_of_inits=True)
    assert (found.kind, found.schedule) == ("permitted", None)


def test_too_many() -> None:
    double: Body = lambda a, b: (a[0] + b[0],)
    with pytest.raises(TooMany, match="too large"):
        permitted_results([(1,), (1,)], double, any_number_of_inits=True, limit=1000)
    with pytest.raises(TooMany, match="too long"):
        permitted_results([(0,)] * 300, double, limit=1000)


@pytest.mark.parametrize(
    ("text", "n"),
    [("tree(0 1, 3 2)", 4), ("tree(0 2, 3 1)", 3), ("tree(1 2)", 4), ("tree(1 1)", 2), ("tree(0 0)", 2)],
)
def test_a_tree_for_other_leaves_is_refused(text: str, n: int) -> None:
    with pytest.raises(Malformed, match=r"neighbours|one tree"):
        list(parse(text).steps(n, seeded=True))


def test_windows() -> None:
    """The first window lacks half of what is missing, rounded down: of 4 by 3 one, of 7 by 3 one."""
    show: Callable[..., Any] = lambda *nodes: ("(" + "".join(nodes) + ")",)

    def tree_of(n: int, k: int, seeded: bool = True) -> str:
        leaves = [(letter,) for letter in ("i" if seeded else "") + "abcdefghjklm"[:n]]
        return fold(show, leaves, [True] * len(leaves), windows(k), seeded)[0]

    assert tree_of(3, 3) == "(((ia)b)c)"
    assert tree_of(5, 3) == "((i(((ia)b)c))((id)e))"
    assert tree_of(4, 3) == "((i((ia)b))((ic)d))"
    assert tree_of(7, 3, seeded=False) == "(((ab)((cd)e))(fg))"
    assert tree_of(5, 2, seeded=False) == "(((ab)(cd))e)"
    assert tree_of(0, 2) == "i"
    assert tree_of(1, 2, seeded=False) == "a"
    assert parse("windows(32)") == windows(32)
    with pytest.raises(Malformed, match="k >= 2"):
        parse("windows(1)")


def test_trees_print_and_parse() -> None:
    for schedule in (tree([]), tree([(0, 1)]), tree([(0, 1), (3, 2)])):
        assert parse(repr(schedule)) == schedule
    assert repr(tree([(0, 1), (3, 2)])) == "tree(0 1, 3 2)"
    for text in ("tree", "tree(0)", "tree(0 1,)", "tree(a b)", "tree(0 1"):
        with pytest.raises(Malformed, match="is not a schedule"):
            parse(text)
