"""`permits`: what a schedule gives is never refuted, what the oracle's set lacks always is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import interp
from interp.questions.permitted.extremes import extremes, is_monotone, schedules_agree
from interp.questions.permitted.permits import Permits
from interp.theory.sums import Ends
from spec import schedule
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region
from spec.meaning.notation import fold
from spec.readings import NOT_PERMITTED
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, make_quantized
from tests.library.builders import chained, module, reduce, region, scattered, value
from tests.library.oracles import bodies
from tests.library.oracles.bodies import extremes as least_and_greatest
from tests.library.oracles.bodies import permitted_results
from tests.library.strategies.programs import PROGRAMS, Program, leaves
from tests.test_permitted import ARGMAX, BODIES, cases, replayed

Element = ElementType | QuantizedType
RANDOM = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
I8, F32 = make_quantized("i8", "f32", 0.5), ELEMENT_TYPES["f32"]
ANY_ORDER = st.one_of(
    st.sampled_from([schedule.LEFT, schedule.BALANCED]), st.integers(0, 99).map(schedule.random)
)


def program(
    element: Element, shape: tuple[int, int], recipe: Sequence[str] = ("add a b",), *after: Op
) -> Module:
    """Rows of %x reduced to %r; operations after it, the last of whose results are returned."""
    rows = reduce(region(recipe, element), element, element, shape)
    named = value("x", element, *shape), value("init", element)
    return module(replace(rows, operands=named, results=(value("r", element, shape[0]),)), *after)


def one(permits: Permits) -> tuple[str, str]:
    """Verdict and schedule of the only element."""
    return str(permits.verdicts[0].item()), str(permits.schedules[0].item())


# Against schedules, and against the oracle


@settings(RANDOM)
@given(PROGRAMS, st.one_of(ANY_ORDER, st.sampled_from([schedule.blocks(2), schedule.blocks(3)])))
def test_no_schedule_is_refuted(program: Program, tree: schedule.Schedule) -> None:
    """Any program of one reduction is permitted its own results; a small one is never unknown."""
    assume(leaves(program) < 300)
    outs = [out.storage for out in interp.run(program.module, *program.args, schedule=tree)]
    judged = interp.permits(program.module, program.args, outs, schedules=["left"], limit=1 << 12)
    assert not judged.is_refuted, judged
    if tree == schedule.LEFT:
        assert judged.counts.keys() <= {"exact"}


@settings(RANDOM)
@given(PROGRAMS, ANY_ORDER)
def test_no_schedule_of_one_init_is_refuted(program: Program, tree: schedule.Schedule) -> None:
    assume(leaves(program) < 300)
    outs = [out.storage for out in interp.run(program.module, *program.args, schedule=tree)]
    options: Any = {"inits": "one", "schedules": ["balanced"], "limit": 1 << 12}
    judged = interp.permits(program.module, program.args, outs, **options)
    assert not judged.is_refuted, judged


@pytest.mark.slow("enumerates trees", rows=4)
@pytest.mark.parametrize("inits", ["one", "any"])
@pytest.mark.parametrize("name", BODIES)
def test_members_are_those_of_the_oracle(name: str, inits: str) -> None:
    """Every stored number of the type as the result of one row, and a few that are no stored numbers."""

    @settings(RANDOM, max_examples=8)
    @given(cases(most=6).filter(lambda case: case[0].storage_type.bits <= 4))
    def check(case: tuple[QuantizedType, list[int]]) -> None:
        type, stored = case
        code = program(type, (1, len(stored) - 1), BODIES[name])
        body = bodies.body_of(region(BODIES[name], type))
        found = permitted_results([(q,) for q in stored], body, inits == "any")
        dtype = np.dtype(type.storage_type.numpy)
        args = [np.array([stored[1:]], dtype), dtype.type(stored[0])]
        for q in range(max(type.storage_min - 1, np.iinfo(dtype).min), type.storage_max + 2):
            judged = interp.permits(code, args, [np.array([q], dtype)], inits=inits)
            kind, witness = one(judged)
            assert kind == ("not permitted" if (q,) not in found else kind)
            assert kind != "unknown"
            if kind != "not permitted":
                assert (q,) in found
                assert replayed([(q,) for q in stored], body, schedule.parse(witness)) == (q,)
            assert judged.ok == ((q,) in found)

    check()


@settings(RANDOM)
@given(cases(), st.sampled_from(["add", "maximum", "add then maximum", "minimum then add"]), st.booleans())
def test_extremes_are_the_oracles(case: tuple[QuantizedType, list[int]], name: str, inits: bool) -> None:
    type, stored = case
    code = region(BODIES[name], type)
    whole = Ends(np.array([type.storage_min]), np.array([type.storage_max]))
    assert is_monotone(code, [whole, whole]).item() == bodies.is_monotone(code)
    body = bodies.body_of(code)
    combine = np.vectorize(lambda a, b: body((int(a),), (int(b),))[0], otypes=[np.int64])
    column = np.array(stored)[:, None]
    found = extremes(code, (column,), lambda a, b: (combine(*a, *b),), inits)
    assert found is not None
    assert found.hold.all() or not bodies.is_monotone(code)
    if found.hold.all():
        expected = least_and_greatest([(q,) for q in stored], body, inits)
        assert (found.least[0].item(), found.greatest[0].item()) == (expected[0][0], expected[1][0])


@settings(RANDOM)
@given(cases(most=6), st.sampled_from(["add", "maximum", "minimum", "multiply"]), st.booleans())
def test_where_all_schedules_agree(case: tuple[QuantizedType, list[int]], name: str, inits: bool) -> None:
    """One result with the init in front; with any number of inits another one at most, without init."""
    type, stored = case
    code = region(BODIES[name], type)
    if schedules_agree(code, np.array(stored)[:, None], inits).all():
        every, body = [(q,) for q in stored], bodies.body_of(code)
        allowed = {
            replayed(row, body, schedule.LEFT) for row in (every, every[1:] if inits else every) if row
        }
        assert set(permitted_results(every, body, inits).states) == allowed


def test_plain_integers_agree_and_small_floats() -> None:
    column = np.array([[0], [5], [7]])
    for name, type, inits, same in (
        ("add a b", "i32", False, True),
        ("add a b", "i32", True, True),
        ("multiply a b", "i32", True, False),
        ("multiply a b", "i32", False, True),
        ("maximum a b", "f32", True, True),
        ("add a b", "f32", False, True),
        ("add a b", "f8E8M0FNU", False, False),
        ("subtract a b", "i32", False, False),
        ("add a a", "i32", False, False),
    ):
        assert schedules_agree(region([name], ELEMENT_TYPES[type]), column, inits).item() is same, (
            name,
            type,
        )


ZEROS = st.sampled_from([0.0, -0.0])
ENDS = st.sampled_from([448.0, 57344.0, np.inf, -np.inf, np.nan])
FLOATS = st.one_of(ZEROS, st.sampled_from([1.0, -1.0, 3.0, 0.25, 15.0, -16.0, 17.0]), ENDS)
ELEMENTS = st.lists(ZEROS) | st.lists(FLOATS, min_size=1, max_size=5)
EIGHT_BITS = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}


@pytest.mark.parametrize("element", EIGHT_BITS)
@pytest.mark.parametrize("name", ["add", "multiply"])
@settings(RANDOM, max_examples=60)
@example(0.0, [15.0, 2.0, 2.0], False)  # each is held; their sum of 19 is 18 from the left, else 20
@example(np.nan, [1.0, 2.0], True)  # which a schedule without init does not see
@example(0.0, [np.inf, -57344.0, -57344.0], False)  # whose sum without the first is -inf
@example(-8192.0, [np.inf, 1.0], True)  # enough inits are -inf
@given(ZEROS | FLOATS, ELEMENTS, st.booleans())
def test_where_all_schedules_of_floats_agree(
    element: str, name: str, init: float, elements: list[float], inits: bool
) -> None:
    """Signs of zeros are told apart; f8E4M3FN holds multiples of 1/4 up to 4, of 1 up to 16."""
    code = region([f"{name} a b"], ELEMENT_TYPES[element])
    x = np.array([init, *elements[:5]], EIGHT_BITS[element])
    if len(x) > 1 and schedules_agree(code, x[:, None], inits).all():
        every, body = [(v,) for v in x.astype(float).tolist()], bodies.body_of(code)
        folded = replayed(every, body, schedule.LEFT)
        assert [repr(x) for x in permitted_results(every, body, inits).states] == [repr(folded)]


LOST = [
    ("add", {7: np.nan}),
    ("add", {7: np.inf, 9: -np.inf}),
    ("multiply", {7: np.nan}),
    ("maximum", {7: np.nan}),
]


@pytest.mark.parametrize(("name", "lost"), LOST, ids=str)
def test_a_number_where_every_order_gives_nan_is_not_permitted(name: str, lost: dict[int, float]) -> None:
    """300 leaves, too many to try their trees; a library's maximum may lose a NaN among them."""
    f32, x = ELEMENT_TYPES["f32"], np.ones(300, np.float32)
    x[[*lost]] = [*lost.values()]
    found = interp.permits(module(reduce(name, f32, f32, (300,), (0,))), [x, np.float32(1)], [np.float32(3)])
    assert found.counts["not permitted"] == 1


def test_sums_agree_within_the_bound_of_integer_addition() -> None:
    """f32: 2^20, and 2^24 where the scale is a power of two."""
    for scale, most in ((0.3, 2**20), (0.5, 2**24)):
        body = region(["add a b"], make_quantized("i32", "f32", scale))
        column = np.array([[most, most + 1], [0, 0]], np.int32)
        assert schedules_agree(body, column, False).tolist() == [True, False]


# Verdicts by hand


def test_a_saturating_sum() -> None:
    """100 + 100 - 100: 27 from the left, 100 from the right; half of the first is nobody's."""
    m, args = program(I8, (1, 3)), [np.array([[100, 100, -100]], np.int8), np.int8(0)]

    def judged(result: int) -> tuple[str, str]:
        return one(interp.permits(m, args, [np.array([result], np.int8)], schedules=["left"]))

    assert judged(27) == ("exact", "left")
    kind, witness = judged(100)
    assert kind == "permitted"
    assert interp.run(m, *args, schedule=witness)[0].storage.tolist() == [100]
    assert judged(13) == ("not permitted", "")


def test_init_values_in_any_number() -> None:
    """1 + 2 with inits of 3: 3 without, 6, 9, ...; exactly one gives 6."""
    m, args = program(I8, (1, 2)), [np.array([[1, 2]], np.int8), np.int8(3)]
    verdicts = {
        inits: [one(interp.permits(m, args, [np.array([q], np.int8)], inits=inits))[0] for q in (3, 6, 9, 10)]
        for inits in ("any", "one")
    }
    assert verdicts["any"] == ["permitted", "exact", "permitted", "not permitted"]
    assert verdicts["one"] == ["not permitted", "exact", "not permitted", "not permitted"]


def test_blocks_are_a_schedule_unless_there_is_one_init() -> None:
    x, init = np.arange(100, dtype=np.int8)[None] % 3, np.int8(1)
    m = program(I8, (1, 100))
    outs = interp.run(m, x, init, schedule="blocks(32)")
    assert interp.permits(m, [x, init], outs).schedule == "blocks(32)"
    refused = interp.permits(m, [x, init], outs, inits="one")
    assert one(refused)[0] == "not permitted"


@pytest.mark.parametrize(
    ("n", "init", "name"),
    [(20, 0.1, "left"), (128, 0, "blocks(32)"), (100, 0.1, "windows(32)"), (999, 0.1, "windows(32)")],
)
def test_what_xla_gives_is_a_named_schedule(n: int, init: float, name: str) -> None:
    """XLA-CPU folds windows of 32, each from its own init value: a sum of f32 that depends on the order."""
    from jax import lax

    x = np.random.default_rng(5).standard_normal((4, n)).astype(np.float32)
    outs = lax.reduce(x, np.float32(init), lax.add, (1,))
    judged = interp.permits(program(F32, (4, n)), [x, np.float32(init)], [np.asarray(outs)])
    assert judged.schedule == name, judged
    assert judged.ok


def test_xla_leaves_the_init_of_a_single_element_out() -> None:
    from jax import lax

    x, init = np.array([[0.3]], np.float32), np.float32(0.1)
    outs = np.asarray(lax.reduce(x, init, lax.add, (1,)))
    assert one(interp.permits(program(F32, (1, 1)), [x, init], [outs])) == ("permitted", "tree()")


@pytest.mark.parametrize("run", ["run", "oracle"])
def test_a_tree_without_a_step_is_its_only_leaf(run: str) -> None:
    """The tree of one element is that element, not the init value; the tree of none is the init value."""
    m, order = program(I8, (1, 1)), schedule.tree([])
    if run == "run":
        assert interp.run(m, np.int8([[7]]), np.int8(1), schedule=order)[0].storage.tolist() == [7]
        empty = interp.run(program(I8, (1, 0)), np.zeros((1, 0), np.int8), np.int8(1), schedule=order)
        assert empty[0].storage.tolist() == [1]
        return
    leaves = [(1,), (7,)]
    assert fold(lambda a, b: (a + b,), leaves, [True, True], order, True) == (7,)
    assert fold(lambda a, b: (a + b,), leaves[:1], [True], order, True) == (1,)


def test_without_an_init_of_zero_the_greatest_may_be_minus_zero() -> None:
    m, args = program(F32, (1, 2), ["maximum a b"]), [np.float32([[-0.0, -1.0]]), np.float32(0.0)]
    judged = {sign: interp.permits(m, args, [np.float32([sign])]) for sign in (0.0, -1.0)}
    assert judged[0.0].schedule == "left"
    assert one(interp.permits(m, args, [np.float32([-0.0])])) == ("permitted", "tree(1 2)")
    assert one(judged[-1.0])[0] == "not permitted"


def test_the_schedule_that_explains_most_is_named() -> None:
    """[1, 2, 3] gives 6 in any schedule, the other row tells balanced from left."""
    m, x = program(I8, (2, 3)), np.array([[1, 2, 3], [100, 100, -100]], np.int8)
    judged = interp.permits(m, [x, np.int8(0)], [np.array([6, 100], np.int8)])
    assert judged.schedule is None or judged.schedule == "balanced"
    outs = interp.run(m, x, np.int8(0), schedule="balanced")
    assert interp.permits(m, [x, np.int8(0)], outs).schedule in ("left", "balanced")
    assert interp.permits(m, [x, np.int8(0)], [np.array([6, 27], np.int8)]).schedule == "left"


def test_operations_after_the_reduction() -> None:
    """The sum of 100, 100, -100 is 27 or 100 (or what inits of 0 do not change); negated -27 or -100."""
    r, n = value("r", I8, 1), value("n", I8, 1)
    m = program(I8, (1, 3), ["add a b"], Op("stablehlo.negate", (r,), (n,)))
    args = [np.array([[100, 100, -100]], np.int8), np.int8(0)]
    kinds = [one(interp.permits(m, args, [np.array([q], np.int8)]))[0] for q in (-27, -100, -50, 27)]
    assert kinds == ["exact", "exact", "not permitted", "not permitted"]
    found = interp.permits(m, args, [np.array([-100], np.int8)], schedules=["left"])
    assert one(found)[0] == "permitted"


def test_results_of_one_reduction_come_from_one_schedule() -> None:
    """Twice the sum and the sum, reversed: 27 with -27 and 100 with -100 in each row, but not mixed."""
    r, n, v = (value(name, I8, 2) for name in "rnv")
    m = program(I8, (2, 3), ["add a b"], Op("stablehlo.negate", (r,), (n,)))
    reverse = Op("stablehlo.reverse", (n,), (v,), {"dimensions": (0,)})
    ops = m.main.body.ops
    code = Region(m.main.body.arguments, (*ops[:-1], reverse, Op("func.return", (r, v), ())))
    m = Module({"main": Func("main", code, (r.type, v.type))})
    args = [np.array([[100, 100, -100], [1, 2, 3]], np.int8), np.int8(0)]

    def judged(sums: list[int], negated: list[int]) -> list[list[str]]:
        found = interp.permits(m, args, [np.array(sums, np.int8), np.array(negated, np.int8)])
        return [verdicts.tolist() for verdicts in found.verdicts]

    assert judged([27, 6], [-6, -27]) == [["exact", "exact"], ["exact", "exact"]]
    assert judged([100, 6], [-6, -100]) == [["exact", "exact"], ["exact", "exact"]]
    together = "not permitted together"
    assert judged([100, 6], [-6, -27]) == [[together, "exact"], ["exact", together]]
    assert judged([100, 6], [-6, -7]) == [["exact", "exact"], ["exact", "not permitted"]]


def test_what_comes_from_two_reductions_is_known_by_name_only() -> None:
    """The sums and their reverse added: 27 + 6 by `left`, 100 + 6 by `balanced`."""
    r, v, s = value("r", I8, 3), value("v", I8, 3), value("s", I8, 3)
    after = (Op("stablehlo.reverse", (r,), (v,), {"dimensions": (0,)}), Op("stablehlo.add", (r, v), (s,)))
    m = program(I8, (3, 3), ["add a b"], *after)
    args = [np.array([[100, 100, -100], [1, 2, 3], [1, 2, 3]], np.int8), np.int8(0)]
    judged = interp.permits(m, args, [np.array([99, 13, 33], np.int8)])
    assert judged.verdicts[0].tolist() == ["unknown", "not permitted", "exact"]
    judged = interp.permits(m, args, [np.array([106, 12, 106], np.int8)])
    assert judged.schedule == "balanced"


def test_chained_reductions_are_known_by_name_only() -> None:
    r, total = value("r", I8, 2), value("total", I8)
    code = (region(["add a b"], I8),)
    again = Op("stablehlo.reduce", (r, value("init", I8)), (total,), {"dimensions": (0,)}, code)
    m = program(I8, (2, 3), ["add a b"], again)
    args = [np.array([[100, 100, -100], [1, 2, 3]], np.int8), np.int8(0)]
    assert one(interp.permits(m, args, interp.run(m, *args, schedule="balanced")))[0] == "exact"
    judged = interp.permits(m, args, [np.int8(99)])
    assert one(judged)[0] == "unknown"
    assert not judged.ok


def test_without_a_reduction_there_is_one_result() -> None:
    m = chained(f"x: 2x{I8!r}", "negate x")
    judged = interp.permits(m, [np.array([1, 2], np.int8)], [np.array([-1, 2], np.int8)])
    assert judged.verdicts[0].tolist() == ["exact", "not permitted"]


def test_reductions_of_several_operands() -> None:
    """The greatest of [1, 3, 3] and its place: 2 in any schedule; the first 3 is nobody's."""
    i8 = ELEMENT_TYPES["i8"]
    m = module(reduce(ARGMAX, i8, i8, (3,), arity=2))
    args = [np.array([1, 3, 3], np.int8), np.arange(3, dtype=np.int8), np.int8(-128), np.int8(-1)]
    assert interp.permits(m, args, [np.int8(3), np.int8(2)]).ok
    refused = interp.permits(m, args, [np.int8(3), np.int8(1)])
    assert [verdicts.item() for verdicts in refused.verdicts] == ["exact", "not permitted"]
    assert refused.elements[0].reason == "no schedule gives it, the permitted set is {2}"


def test_select_and_scatter() -> None:
    """Two windows of one column choose the 9; it gets 100 + 100 - 100 in the order 27, or 100, of three."""
    m = scattered(f"5x{I8!r}", (3,))
    args = [np.array([1, 2, 9, 2, 1], np.int8), np.array([100, 100, -100], np.int8), np.int8(0)]
    for result, kind in ((27, "exact"), (100, "permitted"), (50, "not permitted")):
        outs = [np.array([0, 0, result, 0, 0], np.int8)]
        judged = interp.permits(m, args, outs, schedules=["left"])
        assert judged.verdicts[0].tolist() == ["exact", "exact", kind, "exact", "exact"], judged


def test_floats_within_their_bounds() -> None:
    """Exact 1e8 + 1 - 1e8: 0 or 1; a hundred numbers are too many for the set, but not for the bounds."""
    m, args = program(F32, (1, 3)), [np.array([[1e8, 1, -1e8]], np.float32), np.float32(0)]
    kinds = [one(interp.permits(m, args, [np.array([v], np.float32)]))[0] for v in (0, 1, 2, np.nan)]
    assert kinds == ["exact", "not permitted", "not permitted", "not permitted"]
    x = np.random.default_rng(3).standard_normal((1, 100)).astype(np.float32)
    m, left = program(F32, (1, 100)), x.sum()
    judged = [one(interp.permits(m, [x, np.float32(0)], [np.array([left + d], np.float32)])) for d in (1, -1)]
    assert judged == [("not permitted", "")] * 2


@pytest.mark.parametrize("inits", ["one", "any"])
def test_infinities_that_cancel(inits: str) -> None:
    """3e38 twice is an infinity, and with its negative NaN, in some schedules."""
    m, args = program(F32, (1, 4)), [np.array([[3e38, 3e38, -3e38, -3e38]], np.float32), np.float32(0)]
    given = [np.array([v], np.float32) for v in (np.nan, 0, np.inf, 1)]
    kinds = [one(interp.permits(m, args, [x], schedules=["balanced"], inits=inits))[0] for x in given]
    assert kinds == ["permitted", "exact", "permitted", "not permitted"]


@pytest.mark.slow("long sums")
def test_five_hundred_and_twelve_leaves_in_seconds() -> None:
    """The extremes of a saturating i8 sum, and of an i32 sum that rounds."""
    rng = np.random.default_rng(1)
    for type, x in (
        (make_quantized("i8", "f32", 1.0), rng.integers(-4, 5, (2, 511))),
        (make_quantized("i32", "f32", 0.3), rng.integers(-(2**24), 2**24, (2, 511))),
    ):
        x = x.astype(type.storage_type.numpy)
        m, start = program(type, (2, 511)), time.perf_counter()
        far = np.full(2, type.storage_max if type.storage_type.bits > 8 else -128, x.dtype)
        judged = interp.permits(m, [x, x.dtype.type(0)], [far], inits="one")
        assert judged.verdicts[0].tolist() == ["not permitted"] * 2, judged
        assert time.perf_counter() - start < 30


def test_what_is_not_searched_is_unknown() -> None:
    m, x = program(I8, (3, 3)), np.array([[100, 100, -100]] * 3, np.int8)
    judged = interp.permits(m, [x, np.int8(0)], [np.array([50, 50, 50], np.int8)], most=1)
    assert judged.verdicts[0].tolist() == ["not permitted", "unknown", "unknown"]
    judged = interp.permits(m, [x, np.int8(0)], [np.array([50, 50, 50], np.int8)], limit=2)
    assert judged.counts == {"unknown": 3}
    assert not judged.ok


# What it says


def test_a_reproduction_pastes() -> None:
    m, args = program(I8, (2, 3)), [np.array([[1, 2, 3], [100, 100, -100]], np.int8), np.int8(0)]
    judged = interp.permits(m, args, [np.array([6, 50], np.int8)])
    (element,) = judged.elements
    assert (element.result, element.index, element.kind) == (0, (1,), "not permitted")
    lines = element.reproduction.splitlines()
    assert len(lines) == 3
    assert "[100, 100, -100]" in lines[1]
    scope: dict[str, Any] = {"np": np, "interp": interp}
    exec("\n".join(lines[:2]), scope)
    again = eval(lines[2], scope)
    assert again.counts == {"not permitted": 1}
    assert again.elements[0].reason == element.reason
    assert element.reason == "no schedule gives it, the permitted set is {27, 100}"
    text = repr(judged)
    head, *rest = text.splitlines()
    assert head == f"1 exact, 1 {NOT_PERMITTED}"
    assert "\n".join(rest).startswith("  1 as left\nresult 0[1]: not permitted: given 50, ")
    assert all(line in text for line in lines)


def test_a_reproduction_of_a_whole_program() -> None:
    r, n = value("r", F32, 1), value("n", F32, 1)
    m = program(F32, (1, 2), ["add a b"], Op("stablehlo.negate", (r,), (n,)))
    args = [np.array([[np.inf, 1]], np.float32), np.float32(0)]
    judged = interp.permits(m, args, [np.array([np.nan], np.float32)])
    scope: dict[str, Any] = {"np": np, "interp": interp}
    *setting, last = judged.elements[0].reproduction.splitlines()
    exec("\n".join(setting), scope)
    assert eval(last, scope).counts == judged.counts == {"not permitted": 1}


def test_results_of_another_shape_or_kind_are_refused() -> None:
    m, args = program(I8, (2, 3)), [np.zeros((2, 3), np.int8), np.int8(0)]
    for outs, message in (
        ([np.zeros(2, np.int8)] * 2, "has 1 results"),
        ([np.zeros(3, np.int8)], "result 0 is no"),
        ([np.zeros(2, np.float32)], "result 0 is no"),
    ):
        with pytest.raises(Malformed, match=message):
            interp.permits(m, args, outs)
    with pytest.raises(Malformed, match="'two' is not a number of init values"):
        interp.permits(m, args, [np.zeros(2, np.int8)], inits="two")
    assert interp.permits(m, args, [np.zeros(2, np.int64)]).ok
    empty = [np.zeros((1, 0), np.int8), np.int8(1)]
    assert one(interp.permits(program(I8, (1, 0)), empty, [np.array([300])]))[0] == "not permitted"


def test_bits_of_bf16_are_taken_as_such() -> None:
    bf16 = ELEMENT_TYPES["bf16"]
    args = [np.array([[1, 2]]).astype("bfloat16"), np.array(0).astype("bfloat16")]
    outs = np.array([3]).astype("bfloat16")
    assert interp.permits(program(bf16, (1, 2)), args, [outs.view(np.uint16)]).ok


def test_integers_of_equal_width_are_taken_by_their_bits() -> None:
    """The conformance protocol takes them so: 236 in u8 is -20 in i8, in i16 it is 236."""
    m, args = program(I8, (1, 2)), [np.array([[-10, -10]], np.int8), np.int8(0)]
    assert interp.permits(m, args, [np.array([236], np.uint8)]).schedule == "left"
    assert interp.permits(m, args, [np.array([-20], ">i2")]).schedule == "left"
    assert one(interp.permits(m, args, [np.array([236], np.int16)]))[0] == "not permitted"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from interp.__main__ import main

    m, x = program(I8, (2, 3)), np.array([[1, 2, 3], [100, 100, -100]], np.int8)
    (tmp_path / "m.mlir").write_text(repr(m))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "init.npy", np.int8(0))
    np.save(tmp_path / "good.npy", np.array([6, 27], np.int8))
    np.save(tmp_path / "bad.npy", np.array([6, 50], np.int8))
    files = [str(tmp_path / name) for name in ("m.mlir", "x.npy", "init.npy")]
    assert main(["permits", *files, "--results", str(tmp_path / "good.npy")]) == 0
    assert capsys.readouterr().out.startswith("2 exact in the dequantize reading\n  2 as left")
    assert main(["permits", *files, "--results", str(tmp_path / "bad.npy")]) == 1
    assert "the permitted set is {27, 100}" in capsys.readouterr().out
    assert main(["permits", *files, "--results", str(tmp_path / "x.npy")]) == 2


SUM = """ = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %c = stablehlo.add %a, %b : tensor<!q>
    stablehlo.return %c : tensor<!q>
  }) {dimensions = array<i64: 0>} : (tensor<4x!q>, tensor<!q>) -> tensor<!q>"""
CALLED = f"""func.func private @sum(%x: tensor<4x!q>, %i: tensor<!q>) -> tensor<!q> {{
  %s{SUM}
  return %s : tensor<!q>
}}"""
CALL = " = call @sum(%x, %i) : (tensor<4x!q>, tensor<!q>) -> tensor<!q>"


@pytest.mark.parametrize(
    ("sums", "shares"),
    [
        (f"%s{SUM}", True),
        (f"%s{CALL}", True),
        (f"%s{SUM}\n%t{SUM}", False),
        (f"%s{CALL}\n%t{CALL}", False),
    ],
    ids=["a sum", "a called sum", "two sums", "two called sums"],
)
def test_results_of_one_sum_take_one_schedule(sums: str, shares: bool) -> None:
    """`left` gives 127 - 100 - 100 = -73, and `balanced` (100 + (100 - 100)) - 100 = 0."""
    other = "%s" if shares else "%t"
    text = f"""!q = !quant.uniform<i8:f32, 0.5>
      {CALLED}
      func.func @main(%x: tensor<4x!q>, %i: tensor<!q>) -> (tensor<!q>, tensor<!q>) {{
        {sums}
        %n = stablehlo.negate {other} : tensor<!q>
        return %s, %n : tensor<!q>, tensor<!q>
      }}"""
    args = np.int8([100, 100, -100, -100]), np.int8(0)
    for first in (-73, 0):
        for second in (-73, 0):
            given_ = np.int8(first), np.int8(-second)
            assert interp.permits(interp.load(text), args, given_).ok == (first == second or not shares)


@pytest.mark.parametrize("order", ["%y, %z", "%z, %y"])
@pytest.mark.parametrize("together", [True, False], ids=["of the sum", "of another sum"])
def test_merges_take_the_schedule_of_the_elements_that_they_merge(together: bool, order: str) -> None:
    """`left` gives 127 - 100 - 100 = -73, and `balanced` 0; the other rows are 0 in any schedule.

    The second result is the first row's sum plus the second's; the returned sum is of both rows, or of rows
    that the second result does not read.
    """
    row = "(tensor<3x!q>) -> tensor<1x!q>"
    first = "[0:2]" if together else "[2:3]"
    size = 2 if together else 1
    text = f"""!q = !quant.uniform<i8:f32, 0.5>
      func.func @main(%x: tensor<3x4x!q>, %i: tensor<!q>) -> (tensor<{size}x!q>, tensor<1x!q>) {{
        %s = "stablehlo.reduce"(%x, %i) ({{
        ^bb0(%a: tensor<!q>, %b: tensor<!q>):
          %c = stablehlo.add %a, %b : tensor<!q>
          stablehlo.return %c : tensor<!q>
        }}) {{dimensions = array<i64: 1>}} : (tensor<3x4x!q>, tensor<!q>) -> tensor<3x!q>
        %r = stablehlo.slice %s {first} : (tensor<3x!q>) -> tensor<{size}x!q>
        %y = stablehlo.slice %s [0:1] : {row}
        %z = stablehlo.slice %s [1:2] : {row}
        %t = stablehlo.add {order} : tensor<1x!q>
        return %r, %t : tensor<{size}x!q>, tensor<1x!q>
      }}"""
    hard, zeros = [100, 100, -100, -100], [0] * 4
    args = np.int8([hard, zeros, zeros if together else hard]), np.int8(0)
    for single in (-73, 0):
        for merged in (-73, 0):
            given_ = np.int8([single, 0][:size]), np.int8([merged])
            judged = interp.permits(interp.load(text), args, given_)
            assert judged.ok == (single == merged or not together)
            assert not judged.is_refuted


BLOCKS = """
func.func @main(%x: tensor<4x2x8xi8>, %y: tensor<4x8x2xi8>, %s: tensor<4x2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<4x2x8xi8>, tensor<4x8x2xi8>) -> tensor<4x2x2xi32>
  %1 = stablehlo.convert %0 : (tensor<4x2x2xi32>) -> tensor<4x2x2xf32>
  %2 = stablehlo.multiply %1, %s : tensor<4x2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}"""


def test_sums_of_integers_do_not_count_as_reductions() -> None:
    """Blocks of products in i32, which wrap in any order, and their sum in f32, whose order matters."""
    rng = np.random.default_rng(6)
    x, y = rng.integers(-128, 128, (4, 2, 8)).astype("i1"), rng.integers(-128, 128, (4, 8, 2)).astype("i1")
    scales = rng.standard_normal((4, 2, 2)).astype("f4")
    blocks = np.einsum("bij,bjk->bik", x.astype("i4"), y.astype("i4")).astype("f4") * scales
    inner = np.float32(blocks[1] + blocks[2])
    middle = np.float32(np.float32(blocks[0] + inner) + blocks[3])  # b0 + (b1 + b2) + b3: in order
    crossed = np.float32(np.float32(blocks[0] + blocks[2]) + np.float32(blocks[1] + blocks[3]))
    left = interp.run(BLOCKS, x, y, scales)[0]
    assert (np.asarray(left) != middle).any()
    assert interp.permits(BLOCKS, (x, y, scales), (middle,)).ok
    found = interp.permits(BLOCKS, (x, y, scales), (crossed,))
    assert found.is_refuted
    assert not found.counts["unknown"]
