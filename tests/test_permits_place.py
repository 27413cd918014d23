"""The place of a result: what is beyond the bound on every accumulation is wrong, what is within it never."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends.dtypes import numpy_dtype
from interp.questions.permitted.any_order import bound
from interp.questions.permitted.element_verdicts import PLACES, _outside, family
from interp.questions.permitted.permits import Permits
from interp.questions.permitted.span_folds import _to_body
from interp.theory.sums import Ends
from spec.types import ELEMENT_TYPES, TensorType
from tools.placing import implementations, mutants

F32 = ELEMENT_TYPES["f32"]
N = st.integers(0, 2**32 - 1)
Array = np.ndarray


def reduction(
    shape: str, result: str, type: str = "f32", init: str = "0.0", op: str = "add", tail: str = ""
) -> str:
    return f"""func.func @main(%x: tensor<{shape}x{type}>) -> tensor<{result}{type}> {{
      %z = stablehlo.constant dense<{init}> : tensor<{type}>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.{op} across dimensions = [{shape.count("x")}]
        : (tensor<{shape}x{type}>, tensor<{type}>) -> tensor<{result}{type}>
      {tail or f"return %s : tensor<{result}{type}>"}
    }}"""


def judged(program: str | interp.Module, args: Any, *results: Any, **options: Any) -> Permits:
    m = interp.load(program) if isinstance(program, str) else program
    return interp.permits(m, args, results, **{"limit": 200, **options})


def places(found: Permits) -> list[str]:
    return [str(place) for each in found.place for place in each.ravel()]


# The program of jax issue 39103, with the result of XLA that its report prints --------

JAX_39103 = """func.func @main(%x: tensor<{n}x3xf32>) -> tensor<{n}xf32> {{
  %eye = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %y = stablehlo.dot_general %eye, %x, contracting_dims = [1] x [1]
    : (tensor<3x3xf32>, tensor<{n}x3xf32>) -> tensor<3x{n}xf32>
  %squares = stablehlo.multiply %y, %y : tensor<3x{n}xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%squares init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<3x{n}xf32>, tensor<f32>) -> tensor<{n}xf32>
  return %s : tensor<{n}xf32>
}}"""


def test_the_wrong_row_of_jax_issue_39103() -> None:
    n = 32769
    x = np.zeros((n, 3), np.float32)
    x[:, 0] = np.arange(n)
    given = (x.astype(np.float64) ** 2).sum(1).astype(np.float32)
    given[-1] = 1071645696.0  # for 1073741824
    found = judged(JAX_39103.format(n=n), (x,), given)
    assert found.places == {"within": n - 1, "wrong": 1}
    assert found.counts == {"exact": n - 1, "not permitted": 1}
    (element,) = found.elements
    assert element.index == (n - 1,)
    assert element.place == "wrong"
    assert element.reason.startswith("wrong: 2.1e+06 off where 2.1e+02 is possible")
    assert "in any order, plain or fma, of nodes in f32 or wider" in element.reason
    assert "(wrong)" in repr(element)
    assert f"place: {n - 1} within, 1 wrong" in repr(found)


# Mutants ------------------------------------------------------------------------------------------


@given(seed=N, n=st.integers(3, 60), doubled=st.booleans())
@settings(max_examples=12)
def test_a_leaf_dropped_or_doubled_is_detected_beyond_twice_the_bound(
    seed: int, n: int, doubled: bool
) -> None:
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((1, n)) * 2.0 ** rng.integers(-3, 4, (1, n))).astype(np.float32)
    y = x.copy()
    at = int(rng.integers(n))
    y[0, at] *= 2 * doubled
    given = np.float32([np.add.reduce(y[0])])
    limit = float(bound(F32, np.abs(x.astype(np.float64)).sum() * (1 + 2.0**-40), n))
    found = judged(reduction(f"1x{n}", "1x"), (x,), given, limit=0)
    if abs(float(x[0, at])) > 2 * limit * (1 + 2.0**-20):
        assert places(found) == ["wrong"]
    assert places(judged(reduction(f"1x{n}", "1x"), (x,), np.float32([np.add.reduce(x[0])]))) != ["wrong"]


@given(
    seed=N, kind=st.sampled_from(mutants.MUTANTS[:2] + mutants.MUTANTS[3:]), n=st.sampled_from([4, 16, 64])
)
@settings(max_examples=10)
def test_every_mutant_of_sums_of_integers_is_detected(seed: int, kind: str, n: int) -> None:
    for type in list(mutants.TYPES)[4:]:
        cell = mutants.cell(type, kind, n, seed)
        assert cell
        assert set(cell.counts) <= {"detected"}


@given(seed=N, order=st.sampled_from(["left", "balanced", "blocks(4)", "random(3)"]), up=st.booleans())
@settings(max_examples=15)
def test_a_stated_schedule_is_judged_bit_for_bit(seed: int, order: str, up: bool) -> None:
    rng = np.random.default_rng(seed)
    m, x = interp.load(reduction("4x40", "4x")), rng.standard_normal((4, 40)).astype(np.float32)
    (out,) = interp.run(m, x, schedule=order)
    changed = out.storage.copy()
    at = int(rng.integers(4))
    changed[at] = np.nextafter(changed[at], np.float32(np.inf if up else -np.inf))
    assert judged(m, (x,), out.storage, schedules=order, only=True).ok
    found = judged(m, (x,), changed, schedules=order, only=True)
    assert places(found) == ["wrong" if k == at else "within" for k in range(4)]
    assert found.elements[0].reason == f"{order} does not give it: no other schedule is stated"


def test_the_stated_schedules_in_the_integer_reading_and_with_several_results() -> None:
    q = "!quant.uniform<i8:f32, 0.5>"
    m = interp.load(f"""func.func @main(%x: tensor<2x3x{q}>, %y: tensor<3x2x{q}>) -> tensor<2x2x{q}> {{
      %s = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<2x3x{q}>, tensor<3x2x{q}>) -> tensor<2x2x{q}>
      return %s : tensor<2x2x{q}>
    }}""")
    x, y = np.arange(6, dtype=np.int8).reshape(2, 3), np.ones((3, 2), np.int8)
    (out,) = interp.run(m, x, y, reading="integer")
    stated = {"reading": "integer", "schedules": "left", "only": True}
    assert judged(m, (x, y), out.storage, **stated).ok
    found = judged(m, (x, y), out.storage + 1, **stated)
    assert found.counts == {"not permitted": 4}
    assert found.places == {"wrong": 4}
    assert judged(m, (x, y), out.storage, reading="integer").places == {"within": 4}
    with pytest.raises(interp.InterpError, match="none of the stated schedules counts"):
        judged(
            reduction("3", ""),
            (np.ones(3, np.float32),),
            np.float32(3),
            schedules="blocks(2)",
            only=True,
            inits="one",
        )


# Where there is no claim --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "x", "given", "place"),
    [
        (reduction("3", ""), [1, 2, 4], 7.1, "wrong"),
        (reduction("3", ""), [1, np.inf, 4], 7.1, "unknown"),
        (reduction("3", ""), [1, np.nan, 4], 7.1, "unknown"),
        (reduction("3", ""), [1, 2, 4], np.nan, "wrong"),
        (reduction("3", ""), [1, 2, 4], np.inf, "wrong"),
        (reduction("3", ""), [3e38, 3e38, -3e38], np.inf, "within"),
        (reduction("3", ""), [3e38, -3e38, 1], 7.0, "unknown"),
        (reduction("3", ""), [1e38, -1e38, 1], 1e33, "wrong"),
        (reduction("3", "", init="1.0"), [1, 2, 4], 1e9, "unknown"),
        (reduction("3", "", init="-0.0"), [1, 2, 4], 7.1, "wrong"),
        (reduction("3", ""), [1e-40, 1e-40, 0], 1e-36, "wrong"),
        (reduction("3", ""), [1e-40, 1e-40, 0], 1e-39, "unknown"),
        (reduction("3", "", op="maximum", init="0xFF800000"), [1, 2, 4], 2.0, "wrong"),
        (reduction("3", "", op="maximum", init="3.0"), [1, 2, 4], 2.0, "wrong"),
        (reduction("3", "", op="multiply", init="1.0"), [1, 2, 4], 9.0, "unknown"),
    ],
)  # fmt: skip
def test_the_edges_of_the_premise(program: str, x: list[float], given: float, place: str) -> None:
    found = judged(program, (np.float32(x),), np.float32(given), limit=0)
    assert places(found) == [place]
    assert place in PLACES


def test_one_init_that_is_no_identity_is_a_leaf() -> None:
    m = interp.load(reduction("3", "", init="1.0"))
    for result, place in ((8.0, "within"), (8.1, "wrong")):
        assert places(judged(m, (np.float32([1, 2, 4]),), np.float32(result), inits="one")) == [place]


def test_too_many_leaves_of_a_narrow_type() -> None:
    """From 228 leaves on there is no claim in bf16; a sum of 120 ones is not 60,000."""
    for n, place in ((230, "unknown"), (120, "wrong")):
        m = interp.load(reduction(str(n), "", "bf16"))
        x = np.ones(n, np.float32).astype(interp.run(m, np.zeros(n, np.uint16).view("u2"))[0].storage.dtype)
        assert places(judged(m, (x,), x[0] * np.float32(60000).astype(x.dtype), limit=0)) == [place]


def test_a_reason_names_what_is_possible_and_the_types_of_sums() -> None:
    ends = np.array(1), np.array(3)
    i32, f32 = (TensorType((), ELEMENT_TYPES[name]) for name in ("i32", "f32"))
    assert _outside(i32, 7, *ends) == "only [1, 3] is possible"
    assert _outside(i32, 7, ends[0], ends[0]) == "only 1 is possible"
    assert _outside(f32, 10.0, *map(np.float64, ends)) == "8 off where 1 is possible"
    assert [_outside(i32, x, *ends) for x in (1, 2, 3)] == [""] * 3
    assert family(()) == "any order"
    assert family(("bf16", "f32")) == "any order, plain or fma, of nodes in bf16 and f32 or wider"


# What follows a sum, and several of them ----------------------------------------------------------

MEAN = """%n = stablehlo.constant dense<3.0> : tensor<f32>
      %m = stablehlo.divide %s, %n : tensor<f32>
      %r = stablehlo.sqrt %m : tensor<f32>
      %c = stablehlo.constant dense<1.0> : tensor<f32>
      %t = stablehlo.maximum %r, %c : tensor<f32>
      return %t : tensor<f32>"""
EXPONENTIAL = """%e = stablehlo.exponential %s : tensor<f32>
      return %e : tensor<f32>"""
CHOICE = """%c = stablehlo.constant dense<6.5> : tensor<f32>
      %p = stablehlo.compare GT, %s, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %t = stablehlo.select %p, %s, %c : tensor<i1>, tensor<f32>
      return %t : tensor<f32>"""


@pytest.mark.parametrize(
    ("tail", "right", "wrong", "place"),
    [
        (MEAN, np.sqrt(np.float32(7) / np.float32(3)), 1.6, "wrong"),
        (MEAN, np.sqrt(np.float32(7) / np.float32(3)), 1.0, "wrong"),
        (EXPONENTIAL, 1096.6332, 1000.0, "unknown"),
        (CHOICE, 7.0, 6.5, "wrong"),
    ],
)
def test_operations_after_a_sum(tail: str, right: float, wrong: float, place: str) -> None:
    m, x = interp.load(reduction("3", "", tail=tail)), np.float32([1, 2, 4])
    assert places(judged(m, (x,), np.float32(right))) == ["within"]
    assert places(judged(m, (x,), np.float32(wrong), limit=0)) == [place]


def test_quantized_results_of_a_float_sum() -> None:
    q = "!quant.uniform<i8:f32, 0.5>"
    m = interp.load(f"""func.func @main(%x: tensor<2x64x{q}>, %y: tensor<64x2x{q}>) -> tensor<2x2x{q}> {{
      %s = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<2x64x{q}>, tensor<64x2x{q}>) -> tensor<2x2x{q}>
      return %s : tensor<2x2x{q}>
    }}""")
    rng = np.random.default_rng(0)
    args = rng.integers(-2, 3, (2, 64)).astype(np.int8), rng.integers(-2, 3, (64, 2)).astype(np.int8)
    (out,) = interp.run(m, *args)
    found = judged(m, args, out.storage + np.int8([[0, 1], [-1, 2]]))
    assert places(found) == ["within", "wrong", "wrong", "wrong"]
    assert "is possible in any order" in found.elements[0].reason


def test_a_choice_of_quantized_elements_is_quantized_again() -> None:
    """`select` dequantizes and quantizes: with a step of 0.3 in bf16, -124 and not -125 is right."""
    q = "!quant.uniform<i8:bf16, 0.3>"
    m = interp.load(f"""
    func.func @main(%p: tensor<2xi1>, %x: tensor<2x{q}>, %y: tensor<2x{q}>) -> tensor<2x{q}> {{
      %s = stablehlo.select %p, %x, %y : tensor<2xi1>, tensor<2x{q}>
      return %s : tensor<2x{q}>
    }}""")
    args = np.array([True, False]), np.int8([-125, 1]), np.int8([1, -125])
    (out,) = interp.run(m, *args)
    assert out.storage.tolist() == [-124, -124]
    assert places(judged(m, args, out.storage)) == ["within", "within"]
    assert places(judged(m, args, np.int8([-124, -125]))) == ["within", "unknown"]  # right where kept wider
    assert places(judged(m, args, np.int8([-120, -128]))) == ["wrong", "wrong"]


def test_a_scatter_is_a_sum_of_its_updates() -> None:
    m = interp.load("""
    func.func @main(%x: tensor<4xf32>, %i: tensor<20x1xi32>, %u: tensor<20xf32>) -> tensor<4xf32> {
      %s = "stablehlo.scatter"(%x, %i, %u) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<4xf32>, tensor<20x1xi32>, tensor<20xf32>) -> tensor<4xf32>
      return %s : tensor<4xf32>
    }""")
    rng = np.random.default_rng(1)
    index = np.int32([[k % 3] for k in range(20)])
    args = (np.float32([1, 2, 3, 4]), index, rng.standard_normal(20).astype(np.float32))
    (out,) = interp.run(m, *args)
    given = out.storage.copy()
    given[1] += np.float32(0.25)
    given[3] = np.nextafter(given[3], np.float32(9))  # which no update reaches
    assert places(judged(m, args, given)) == ["within", "wrong", "within", "wrong"]


# Values kept wider ---------------------------------------------------------------------------------


def test_a_wider_value_that_is_rounded_twice_is_not_wrong() -> None:
    """Sums in f32, and one rounding to bf16: 1.01171875 is a tie of bf16 only after f32 has rounded."""
    m = interp.load("""
    func.func @main(%a: tensor<bf16>, %b: tensor<bf16>, %c: tensor<bf16>, %d: tensor<bf16>) -> tensor<bf16> {
      %0 = stablehlo.add %a, %b : tensor<bf16>
      %1 = stablehlo.add %0, %c : tensor<bf16>
      %2 = stablehlo.add %1, %d : tensor<bf16>
      return %2 : tensor<bf16>
    }""")
    args = [ml_dtypes.bfloat16(v) for v in (1 + 2**-7, 127 * 2.0**-15, 127 * 2.0**-22, 3 * 2.0**-24)]
    x = np.float32(args[0])
    for a in args[1:]:
        x = np.float32(x + np.float32(a))
    assert float(ml_dtypes.bfloat16(x)) == 1.015625
    assert places(judged(m, args, ml_dtypes.bfloat16(x))) == ["unknown"]
    for far in (1.0, 1.0234375):
        assert places(judged(m, args, ml_dtypes.bfloat16(far))) == ["wrong"]


def test_a_dequantized_product_may_be_kept_exact() -> None:
    m = interp.load("""
    func.func @main(%x: tensor<!quant.uniform<i8:f32, 0.1>>, %y: tensor<f32>) -> tensor<f32> {
      %d = stablehlo.uniform_dequantize %x : (tensor<!quant.uniform<i8:f32, 0.1>>) -> tensor<f32>
      %p = stablehlo.multiply %d, %y : tensor<f32>
      return %p : tensor<f32>
    }""")
    y, s = np.float32(1.9127556), np.float32(0.1)
    wide = np.float32(3 * float(s) * float(y))
    assert wide != np.float32(np.float32(3) * s) * y
    assert places(judged(m, (np.int8(3), y), wide)) == ["unknown"]
    assert places(judged(m, (np.int8(3), y), wide * np.float32(1 + 2**-20))) == ["wrong"]


SPELLED = """
  %a = stablehlo.uniform_dequantize %x : (tensor<!quant.uniform<i8:f32, 0.1>>) -> tensor<f32>
  %b = stablehlo.uniform_dequantize %y : (tensor<!quant.uniform<i8:f32, 0.1>>) -> tensor<f32>
  %m = stablehlo.multiply %a, %b : tensor<f32>
  %p = stablehlo.uniform_quantize %m : (tensor<f32>) -> tensor<!r>"""
DIRECT = """
  %p = stablehlo.multiply %x, %y
    : (tensor<!quant.uniform<i8:f32, 0.1>>, tensor<!quant.uniform<i8:f32, 0.1>>) -> tensor<!r>"""


@pytest.mark.parametrize("body", [DIRECT, SPELLED])
@pytest.mark.parametrize(
    ("scale", "x", "y", "literal", "wide"), [("0.02", -125, -1, 62, 63), ("0.2", -127, -10, 64, 63)]
)
def test_two_spellings_of_a_quantized_product(
    body: str, scale: str, x: int, y: int, literal: int, wide: int
) -> None:
    """The exact quotient is near a tie: 63 and 64 are its neighbours, or 62 and 63."""
    a, s = np.float32([x, y]) * np.float32(0.1), float(np.float32(scale))
    exact = float(a[0]) * float(a[1]) / s, x * y * float(np.float32(0.1)) ** 2 / s
    assert wide in [round(q) for q in exact]
    m = interp.load(f"""!r = !quant.uniform<i8:f32, {scale}>
    func.func @main(%x: tensor<!quant.uniform<i8:f32, 0.1>>, %y: tensor<!quant.uniform<i8:f32, 0.1>>)
        -> tensor<!r> {{{body}
      return %p : tensor<!r>
    }}""")
    args = np.int8(x), np.int8(y)
    expected = {literal: "within", wide: "unknown", literal - 2: "wrong", literal + 2: "wrong"}
    for q, place in expected.items():
        assert places(judged(m, args, np.int8(q))) == [place]


@pytest.mark.parametrize("name", ["maximum", "minimum", "add", "compare"])
def test_operations_on_stored_integers_stay_exact(name: str) -> None:
    q = "!quant.uniform<i8:f32, 0.1:3>"
    result = "i1" if name == "compare" else q
    line = f"stablehlo.{name} {'EQ, ' * (name == 'compare')}%x, %y : (tensor<4x{q}>, tensor<4x{q}>)"
    m = interp.load(f"""func.func @main(%x: tensor<4x{q}>, %y: tensor<4x{q}>) -> tensor<4x{result}> {{
      %r = {line} -> tensor<4x{result}>
      return %r : tensor<4x{result}>
    }}""")
    args = np.int8([5, -7, 100, 3]), np.int8([5, 9, -100, 4])
    (out,) = interp.run(m, *args)
    other = ~out.storage if name == "compare" else out.storage + np.int8(1)
    assert places(judged(m, args, other)) == ["wrong"] * 4


def test_leaves_beside_an_infinite_one_are_rounded_to_the_type_of_the_body() -> None:
    """1.00390625 is 1 in bf16; an infinite identity stays, and of NaN nothing is known."""
    x = np.array([1.00390625, np.inf, -np.inf, np.nan])
    low, high = _to_body(ELEMENT_TYPES["bf16"], F32, Ends(x, x))
    assert low[0] <= 1.0
    assert high[0] >= 1.00390625
    assert low[1:3].tolist() == high[1:3].tolist() == [np.inf, -np.inf]
    assert not np.isfinite([low[3], high[3]]).any()


def kept(x: Array, type: str, rng: np.random.Generator, way: str) -> Array:
    """Return numbers rounded to a type, to a wider one, to both in turn, or not at all."""
    narrow = np.asarray(x, numpy_dtype(ELEMENT_TYPES[type])).astype(np.float64)
    wide = np.float32(x).astype(np.float64)
    both = np.asarray(wide, numpy_dtype(ELEMENT_TYPES[type])).astype(np.float64)
    ways = {"each": 0, "f32": 1, "f64": 2}
    choice = ways[way] if way in ways else rng.integers(4, size=np.shape(x))
    return np.choose(choice, [narrow, wide, np.asarray(x, np.float64), both])


BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}
BINARY |= {"maximum": np.maximum, "minimum": np.minimum}
WAYS = st.sampled_from(["each", "f32", "f64", "mixed"])


@given(
    seed=N, type=st.sampled_from(["bf16", "f16", "f32"]), way=WAYS, n=st.integers(2, 4), small=st.booleans()
)
@settings(max_examples=40, deadline=None)
def test_no_chain_that_is_kept_wider_is_called_wrong(
    seed: int, type: str, way: str, n: int, small: bool
) -> None:
    """Each operation is rounded, kept in f32 or f64, or rounded twice; the result is rounded once."""
    rng, dtype, size = np.random.default_rng(seed), numpy_dtype(ELEMENT_TYPES[type]), 200
    names = [str(name) for name in rng.choice(list(BINARY), n)]
    scale = 2.0 ** rng.integers(*((-12, 3) if small else (-2, 2)), (n + 1, 1))
    xs = [x.astype(dtype) for x in (1 + rng.random((n + 1, size))) * scale]
    value, lines, last = xs[0].astype(np.float64), "", "%x0"
    for k, name in enumerate(names, 1):
        value = kept(BINARY[name](value, xs[k].astype(np.float64)), type, rng, way)
        lines += f"%{k} = stablehlo.{name} {last}, %x{k} : tensor<{size}x{type}>\n"
        last = f"%{k}"
    inputs = ", ".join(f"%x{k}: tensor<{size}x{type}>" for k in range(n + 1))
    m = interp.load(f"""func.func @main({inputs}) -> tensor<{size}x{type}> {{
      {lines} return {last} : tensor<{size}x{type}>
    }}""")
    given = value.astype(dtype)
    assert "wrong" not in places(judged(m, xs, given, limit=0))
    if not small and "subtract" not in names:  # nothing cancels, and every number is normal
        far = (given.astype(np.float64) * (1 + 2.0 ** (5 - ELEMENT_TYPES[type].precision))).astype(dtype)
        assert set(places(judged(m, xs, far, limit=0))) == {"wrong"}


@given(seed=N, expressed=st.sampled_from(["bf16", "f16", "f32"]), way=WAYS, n=st.integers(2, 3))
@settings(max_examples=40, deadline=None)
def test_no_quantized_chain_that_is_kept_wider_is_called_wrong(
    seed: int, expressed: str, way: str, n: int
) -> None:
    """Differences, products with scales, operations, quotients and sums are each rounded, or kept."""
    rng, size, element = np.random.default_rng(seed), 200, ELEMENT_TYPES[expressed]
    steps = [
        (str(rng.choice(["0.1", "0.02", "0.3", "0.25"])), int(rng.integers(-9, 9))) for _ in range(2 * n + 1)
    ]
    types = [f"!quant.uniform<i8:{expressed}, {scale}:{zero}>" for scale, zero in steps]
    scales = [float(np.asarray(float(scale), numpy_dtype(element))) for scale, _ in steps]
    names = [str(name) for name in rng.choice(["add", "subtract", "multiply", "maximum", "minimum"], n)]

    def keep(x: Array) -> Array:
        return kept(x, expressed, rng, way)

    def real(q: Array, k: int) -> Array:
        return keep(keep(q - float(steps[k][1])) * scales[k])

    xs = [rng.integers(-128, 128, size).astype(np.int8) for _ in range(n + 1)]
    value, at, lines, last = xs[0].astype(np.float64), 0, "", "%x0"
    for k, name in enumerate(names, 1):
        to = n + k
        z = keep(BINARY[name](real(value, at), real(xs[k].astype(np.float64), k)))
        value = np.rint(np.clip(keep(keep(z / scales[to]) + steps[to][1]), -128, 127))
        lines += f"""%{k} = stablehlo.{name} {last}, %x{k}
          : (tensor<{size}x{types[at]}>, tensor<{size}x{types[k]}>) -> tensor<{size}x{types[to]}>\n"""
        last, at = f"%{k}", to
    inputs = ", ".join(f"%x{k}: tensor<{size}x{types[k]}>" for k in range(n + 1))
    m = interp.load(f"""func.func @main({inputs}) -> tensor<{size}x{types[at]}> {{
      {lines} return {last} : tensor<{size}x{types[at]}>
    }}""")
    assert "wrong" not in places(judged(m, xs, value.astype(np.int8), limit=0))


# Real implementations -----------------------------------------------------------------------------


@pytest.mark.slow("runs NumPy, XLA and onnxruntime on inputs of six kinds")
def test_no_result_of_an_implementation_is_called_wrong() -> None:
    names, bounded = set[str](), 0
    for seed, target in enumerate(implementations.targets()):
        for n, kind in zip((5, 64, 333), implementations.KINDS[seed % 2 :: 2], strict=True):
            judged_here, claims, reasons = implementations.refuted(target, kind, n, 3, seed)
            assert reasons == [], (target.name, n, kind)
            assert claims <= judged_here
            names.add(target.name.split()[0])
            bounded += claims
    assert {"NumPy", "XLA", "fsum", "random"} <= names
    assert bounded > 300


@given(seed=N, n=st.integers(2, 40), kind=st.sampled_from(implementations.KINDS), fused=st.booleans())
@settings(max_examples=20)
def test_no_random_tree_is_called_wrong(seed: int, n: int, kind: str, fused: bool) -> None:
    text = implementations.products if fused else implementations.sums
    target = implementations.Target("trees", "f32", text, implementations.in_a_tree)
    assert implementations.refuted(target, kind, n, 4, seed)[2] == []
