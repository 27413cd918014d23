"""The a-priori bound: it holds over random programs, and small types come near it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY, fl
from interp.comparison import error_bound
from interp.comparison.compare import Comparison, compare
from interp.comparison.roundoff import Bounded, run_op
from interp.engine.evaluate import Context
from interp.engine.facts import FACTS
from interp.engine.storage import storage_range
from interp.kernels import OPERATIONS
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.rules.verify import verify
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized
from tests.library.builders import module, operation, reduce, reduce_window, single, value
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program, stored

Element = ElementType | QuantizedType

I4, I4_OTHER, I4_TENTH = (make_quantized("i4", "f32", *p) for p in ((0.5, 0), (0.3, 2), (0.1, 1)))
U4, U4_HALF, U4_BF16 = (
    make_quantized("u4", "f32", 0.5, 8),
    make_quantized("u4", "f16", 0.3, 3),
    make_quantized("u4", "bf16", 0.3),
)
I8, I8_OTHER, I8_TENTH = (make_quantized("i8", "f32", *p) for p in ((0.5, 0), (0.3, -2), (0.1, 1)))
U8, U8_HALF, U8_BF16 = (
    make_quantized("u8", "f32", 0.5, 8),
    make_quantized("u8", "f16", 0.25, 9),
    make_quantized("u8", "bf16", 0.25),
)
I4_WIDE = make_quantized("i4", "f64", 0.1, 1)
I8_WIDE = make_quantized("i8", "f64", 0.1, 1)
I16_OTHER = make_quantized("i16", "f32", 0.07, 5)
I32 = make_quantized("i32", "f32", 0.15)
F16, F32 = ELEMENT_TYPES["f16"], ELEMENT_TYPES["f32"]


def row_windows(source: Element, accumulation: Element, shape: tuple[int, int], window: int) -> Op:
    """Sums of windows along the rows, which are padded at their ends."""
    return reduce_window("add", source, accumulation, shape, (1, window), padding=((0, 0), (0, 1)))


def dot(lhs: Element, rhs: Element, result: Element, shape: tuple[int, int]) -> Op:
    """One dot product per row."""
    attributes = {
        "lhs_batching_dimensions": (0,),
        "rhs_batching_dimensions": (0,),
        "lhs_contracting_dimensions": (1,),
        "rhs_contracting_dimensions": (1,),
        "precision_config": ("DEFAULT", "DEFAULT"),
    }
    inputs = [TensorType(shape, lhs), TensorType(shape, rhs)]
    return operation("dot_general", inputs, TensorType(shape[:1], result), **attributes)


def elementwise(name: str, inputs: list[Element], result: Element, shape: tuple[int, ...]) -> Op:
    return operation(name, [TensorType(shape, t) for t in inputs], TensorType(shape, result))


def all_rows(element: Element, n: int) -> np.ndarray:
    """Every row of n storage values."""
    assert isinstance(element, QuantizedType)
    values = np.arange(element.storage_min, element.storage_max + 1)
    rows = np.stack(np.meshgrid(*[values] * n, indexing="ij"), -1).reshape(-1, n)
    return rows.astype(element.storage_type.numpy)


def zero(element: Element) -> np.ndarray:
    assert isinstance(element, QuantizedType)
    return np.asarray(element.zero_point, element.storage_type.numpy)


class Case(NamedTuple):
    name: str
    module: Module
    args: tuple[np.ndarray, ...]


def reductions() -> Iterator[Case]:
    pairs = {
        "i4 to i8, equal": (I4, I8),
        "i4 to i8, other scale": (I4, I8_OTHER),
        "i4 to i8, a tenth": (I4_TENTH, I8_TENTH),
        "i4 alone": (I4_OTHER, I4_OTHER),
        "i4 to i4, other scale": (I4, I4_OTHER),
        "i4 to i16, other scale": (I4, I16_OTHER),
        "i4 to i32, other scale": (I4, I32),
        "u4 to u8, equal": (U4, U8),
        "u4 to u8 in f16": (U4_HALF, U8_HALF),
        "u4 to u8 in bf16": (U4_BF16, U8_BF16),
        "i4 to i8 in f64": (I4_WIDE, I8_WIDE),
    }
    for label, (source, wide) in pairs.items():
        for n in (2, 4):
            rows = all_rows(source, n)
            for name in ("add", "maximum"):
                program = module(reduce(name, source, wide, rows.shape))
                yield Case(f"reduce {name}, {n} leaves, {label}", program, (rows, zero(source)))
    source, wide = (
        make_quantized("u4", "f16", 5.1),
        make_quantized("i32", "f16", 0.3),
    )  # sums too large for exact steps
    program = module(reduce("add", source, wide, (2**16, 4)))
    yield Case("reduce add, 4 leaves, u4 to i32 in f16", program, (all_rows(source, 4), zero(source)))
    for n in (2, 3):
        rows = all_rows(I4, 3)
        window = row_windows(I4, I8_OTHER, rows.shape, n)
        yield Case(f"reduce_window add, window {n}", module(window), (rows, zero(I4)))
    rows = all_rows(I4, 2)
    mean = make_quantized("i8", "f32", I8_TENTH.scale / 2, 1)
    total = reduce("add", I4_TENTH, I8_TENTH, rows.shape)
    out = value("mean", mean, *rows.shape[:1])
    half = Op("stablehlo.bitcast_convert", total.results, (out,))
    yield Case("mean by another scale", module(total, half), (all_rows(I4_TENTH, 2), zero(I4_TENTH)))


def others() -> Iterator[Case]:
    x, z = (np.ascontiguousarray(column) for column in all_rows(I4, 2).T)
    for name in ("add", "subtract", "multiply", "maximum"):
        for label, result in {"i4": I4, "i4 of another scale": I4_OTHER}.items():
            yield Case(f"{name} to {label}", module(elementwise(name, [I4, I4], result, x.shape)), (x, z))
    for kind in ("i4", "i4 in f64"):
        rows, (lhs, rhs) = (
            all_rows(I4, 4),
            (I4, I4) if kind == "i4" else (I4_WIDE, make_quantized("i4", "f64", 0.1)),
        )
        left, right = rows[:, :2].copy(), rows[:, 2:].copy()
        for label, result in {"its scale": (0.25, 0), "another": (0.3, 3)}.items():
            accumulator = make_quantized("i32", lhs.expressed_type.name, *result)
            program = module(dot(lhs, rhs, accumulator, left.shape))
            yield Case(f"dot_general {kind} to i32 of {label}", program, (left, right))
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    for target in (U4_HALF, make_quantized("i8", "f16", 0.01, 7)):
        program = module(elementwise("uniform_quantize", [F16], target, halves.shape))
        yield Case(f"uniform_quantize f16 to {target}", program, (halves,))
    bytes_ = all_rows(I8, 1)[:, 0]
    for target in (I4, I8_OTHER):
        program = module(elementwise("uniform_quantize", [I8], target, bytes_.shape))
        yield Case(f"uniform_quantize i8 to {target}", program, (bytes_,))


def errors(found: Comparison) -> np.ndarray:
    """|ours - XLA's|, in f64."""
    ours = found.outputs[0].dequantize().astype(np.float64)
    return np.abs(ours - found.reference[0].astype(np.float64))


CASES = [*reductions(), *others()]


@pytest.mark.slow("compiles each", rows=16)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bound_holds_and_is_tight_over_all_inputs(case: Case) -> None:
    found = compare(case.module, *case.args)
    (bound,) = found.bounds
    free = ~np.isnan(bound)
    assert np.isfinite(bound[free]).all()
    error, bound = errors(found)[free], bound[free]
    assert free.any()
    assert (error <= bound).all()
    assert bound.max() <= 8 * error.max()


# Random programs.


SUMS = ("add", "maximum", "minimum")


@st.composite
def single_operations(draw: st.DrawFn) -> Program:
    """A random reduction whose bodies are one operation for each operand."""
    program = draw(PROGRAMS)
    (op, *_) = program.module.main.body.ops
    *select, body = op.regions
    half = len(body.arguments) // 2
    pairs = zip(body.arguments[:half], body.arguments[half:], strict=True)
    combined = [
        Op(f"stablehlo.{draw(st.sampled_from(SUMS))}", pair, (Value(f"%b{k}", pair[0].type),))
        for k, pair in enumerate(pairs)
    ]
    end = Op("stablehlo.return", tuple(c.result for c in combined), ())
    region = Region(body.arguments, (*combined, end))
    return program._replace(module=module(replace(op, regions=(*select, region))))


BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum")
UNARY = ("abs", "negate", "tanh", "logistic", "cosine", "floor", "exponential")


@st.composite
def chains(draw: st.DrawFn) -> Program:
    """Operations on quantized types one after another, each on the last value, then a sum of each row."""
    expressed = draw(st.sampled_from(("f16", "bf16", "f32", "f64")))
    types = st.builds(
        lambda bits, scale, point: make_quantized(f"i{bits}", expressed, scale, point),
        st.sampled_from((8, 16, 32)),
        st.sampled_from((0.5, 0.1, 2.0**-6, 1.7)),
        st.integers(-9, 9),
    )
    shape = (4, draw(st.integers(1, 40)))
    first = draw(types)
    x = Value("%x", TensorType(shape, first))
    value, ops = x, []
    for k in range(draw(st.integers(1, 4))):
        result = Value(f"%v{k}", TensorType(shape, draw(types)))
        moved = Value(f"%m{k}", TensorType(shape, result.type.element_type))
        ops.append(Op("stablehlo.uniform_quantize", (value,), (moved,)))
        name = draw(st.sampled_from((*BINARY, *UNARY)))
        ops.append(Op(f"stablehlo.{name}", (moved, moved) if name in BINARY else (moved,), (result,)))
        value = result
    row = reduce("add", value.type.element_type, value.type.element_type, shape)
    ops.append(replace(row, operands=(value, Value("%i", row.operands[1].type))))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    program = module(*ops)
    return Program(program, tuple(stored(rng, v.type) for v in program.main.inputs))


PROGRAM = st.one_of(single_operations(), chains(), PROGRAMS, *FAMILIES.values())


@pytest.mark.slow("XLA compiles 20 programs")
@given(PROGRAM)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_bound_holds(program: Program) -> None:
    with contextlib.suppress(Unsupported):  # what XLA refuses, and reinterpreted storage
        found = compare(program.module, *program.args)
        assert found.ok, (found, program)


LEVELS = st.builds(
    lambda storage, scale, point: replace(
        make_quantized(storage, "f16", scale, 0),
        zero_points=(min(point, 65535) if storage == "ui16" else point,),
        **({} if storage == "ui16" else {"storage_min": -200_000, "storage_max": 100_000}),
    ),
    st.sampled_from(("ui16", "i32")),
    st.sampled_from((0.1, 0.3, 1.0, 5.0)),
    st.sampled_from((0, 1000, 30_000, 50_000, 65_519, 65_530, 65_535)),
)


@st.composite
def beyond_the_expressed_type(draw: st.DrawFn) -> Program:
    """Draw programs that quantize to types of more steps than f16 counts, far from zero and near it."""
    result, n = draw(LEVELS), draw(st.integers(1, 4))
    source = draw(st.one_of(st.just(F16), st.just(result), LEVELS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))

    def numbers(element: Element, *shape: int) -> np.ndarray:
        spread = 10.0 ** rng.uniform(0, 5, shape) * rng.choice((-1, 1), shape)
        if not isinstance(element, QuantizedType):
            return (spread / 4).astype(np.float16)
        near = np.clip(element.zero_point + spread, element.storage_min, element.storage_max)
        return near.astype(element.storage_type.numpy)

    name = draw(st.sampled_from(("uniform_quantize", "add", "subtract", "maximum", "sum", "largest", "dot")))
    if name == "uniform_quantize" or not isinstance(source, QuantizedType):
        ops = [elementwise("uniform_quantize", [source], result, (n,))]
        return Program(module(*ops), (numbers(source, n),))
    if name == "dot":
        lhs, rhs = (make_quantized("ui8", "f16", 1.0, point) for point in (152, 0))
        args = tuple(rng.integers(0, 256, (2, n)).astype(np.uint8) for _ in range(2))
        result = replace(result, storage_type=ELEMENT_TYPES["i32"])
        return Program(module(dot(lhs, rhs, result, (2, n))), args)
    source = source if source.storage_type == result.storage_type else result
    if name in ("sum", "largest"):
        op = reduce("add" if name == "sum" else "maximum", source, result, (2, n))
        return Program(module(op), (numbers(source, 2, n), zero(source)))
    return Program(
        module(elementwise(name, [source] * 2, result, (n,))), (numbers(source, n), numbers(source, n))
    )


@pytest.mark.slow("compiles many programs")
@given(beyond_the_expressed_type())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_bound_holds_where_steps_overflow_the_expressed_type(program: Program) -> None:
    """x / scale, the zero point and their sum are numbers of f16, which a small x does not keep in range."""
    found = compare(program.module, *program.args)
    assert found.ok, (found, program)


def test_a_step_that_overflows_leaves_no_bound() -> None:
    """-510 / 0.1 + fl(65535) is infinite in f16: 65535 is stored, 500 away. 65000 leaves room."""
    for point, is_bounded in ((65535, False), (65000, True)):
        target = make_quantized("ui16", "f16", 0.1, point)
        found = compare(module(elementwise("uniform_quantize", [F16], target, (1,))), np.float16([-510]))
        assert found.ok, found
        assert np.isfinite(found.bounds[0]).all() == is_bounded


def test_requantizing_to_the_same_type_is_not_always_exact() -> None:
    """31530 is no number of f16, so that `quantize(dequantize(q))` is another q."""
    type = make_quantized("ui16", "f16", 0.1, 30_000)
    found = compare(module(elementwise("uniform_quantize", [type], type, (1,))), np.uint16([31_530]))
    assert found.outputs[0].storage != 31_530
    assert found.ok, found


def test_nothing_is_known_where_a_storage_bound_is_no_number() -> None:
    """32767 is NaN in f8E4M3FN: every step gives 0, so 1 + 1 is off by 2, and no finite bound may be said."""
    element = make_quantized("i16", "f8E4M3FN", 1.0)
    x, init = (Value(f"%{name}", TensorType(shape, element)) for name, shape in (("x", (2,)), ("init", ())))
    lhs, rhs, both, out = (Value(f"%{name}", init.type) for name in ("a", "b", "c", "r"))
    add = Op("stablehlo.add", (lhs, rhs), (both,))
    body = Region((lhs, rhs), (add, Op("stablehlo.return", (both,), ())))
    reduce = Op("stablehlo.reduce", (x, init), (out,), {"dimensions": (0,)}, (body,))
    region = Region((x, init), (reduce, Op("func.return", (out,), ())))
    compared = compare(Module({"main": Func("main", region, (out.type,))}), np.int16([1, 1]), np.int16(0))
    assert compared.outputs[0].storage == 0
    assert compared.reference[0] == 2
    assert not np.isfinite(compared.bounds[0])


def clipped_results(element: str, result: str, name: str, arity: int) -> bool:
    """Hold one operation's bounds against its float results; False if its types are not permitted."""
    source = f"!quant.uniform<i8:{element}, 0.05:3>"
    module = single(name, f"{'; '.join([f'256x{source}'] * arity)} -> 256x{result}")
    if verify(module, "mlir"):
        return False
    (op,) = (op for op in module.ops() if op.name == f"stablehlo.{name}")
    first, rng = np.arange(-128, 128).astype(np.int8), np.random.default_rng(2026)
    given = [Bounded(x, np.zeros(256)) for x in (first, *(rng.permutation(first) for _ in range(arity - 1)))]
    ctx = Context(NUMPY, module, LEFT, OPERATIONS)
    expressed, type = ELEMENT_TYPES[element], op.result.type.quantized_element_type
    plain = replace(op, results=(replace(op.result, type=TensorType((256,), expressed)),))
    with np.errstate(all="ignore"):
        (found,) = error_bound.elementwise(ctx, op, *given)
        (y,) = run_op(ctx, plain, given)
        steps = NUMPY.round_to(y.astype(np.float64) / fl(type.scale, expressed), expressed)
        steps = NUMPY.round_to(steps.astype(np.float64) + type.zero_point, expressed).astype(np.float64)
    low, high = storage_range(type)
    clipped = np.isfinite(steps) & ((np.rint(steps) < low) | (np.rint(steps) > high))
    saturated = np.isnan(found.error)
    assert saturated[clipped].all(), name
    assert np.isin(found.value[saturated], (low, high)).all(), name
    return bool(clipped.any())


@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
def test_every_clipped_result_is_saturated(element: str) -> None:
    """The float result decides, as it is what is quantized: ceil(-20 * 0.05) is -1 in f16, and exactly 0."""
    results = f"!quant.uniform<i8:{element}, 0.003>", f"!quant.uniform<i4<-5:6>:{element}, 0.1:2>"
    names = {name.removeprefix("stablehlo.") for name, row in FACTS.items() if row.family == "elementwise"}
    seen = {
        name
        for name in names
        for result in results
        if any(clipped_results(element, result, name, arity) for arity in (1, 2, 3))
    }
    assert seen >= {"add", "atan2", "ceil", "clamp", "divide", "exponential", "power", "sine", "sqrt", "tan"}


def test_your_own_function_need_not_clip() -> None:
    """Numbers below a zero point at the end of its range are clipped: against them there is no bound."""
    quantizing = interp.load("""
    !q = !quant.uniform<i8:f32, 0.1:-128>
    func.func @main(%x: tensor<4xf32>) -> tensor<4x!q> {
      %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!q>
      return %0 : tensor<4x!q>
    }""")
    x = np.float32([-3, -0.01, 1, 2])
    for against, saturated in ((None, 0), (lambda a: a, 1), (lambda a: jnp.maximum(a, 0), 1)):
        found = interp.compare(quantizing, x, against=against)
        (result,) = found.results
        assert found.ok
        assert (result.saturated, result.bounded) == (saturated, 4 - saturated)


def test_what_is_clipped_in_reals_alone_is_bounded_by_its_distance() -> None:
    """An f16 has no 8243: sin(8243) is positive, which the result's type clips, and sin(8240) is -0.387.

    Both ours and the reference compute the latter; ours is 0, as the zero point of the type is an end, and
    32767 - 0.387 is 32768 in f16. The reference clips what is above zero, and this is not.
    """
    wave = interp.load("""
    !r = !quant.uniform<i16:f16, 1.0:32767>
    func.func @main(%x: tensor<1x!quant.uniform<i16:f16, 1.0>>) -> tensor<1x!r> {
      %0 = stablehlo.sine %x : (tensor<1x!quant.uniform<i16:f16, 1.0>>) -> tensor<1x!r>
      return %0 : tensor<1x!r>
    }""")
    x = np.int16([-8243])
    assert float(np.float16(x[0])) == -8240
    assert np.sin(-8240.0) < -0.38
    assert np.sin(-8243.0) > 0
    found = interp.compare(wave, x)
    assert found.ok
    assert found.bounds[0] >= 0.38


def test_a_loop_whose_body_captures_its_first_value_has_the_bits_of_the_run() -> None:
    """t = tanh(t) + x from t = x; the condition depends on t, so that bounds end before the loop does."""
    module = interp.load("""func.func @main(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
      %z = stablehlo.constant dense<0> : tensor<i64>
      %one = stablehlo.constant dense<1> : tensor<i64>
      %most = stablehlo.constant dense<100.0> : tensor<f32>
      %yes = stablehlo.constant dense<true> : tensor<i1>
      %r:3 = stablehlo.while(%i = %z, %t = %x, %go = %yes) : tensor<i64>, tensor<f32>, tensor<i1>
      cond {
        %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
        %q = stablehlo.and %p, %go : tensor<i1>
        stablehlo.return %q : tensor<i1>
      } do {
        %k = stablehlo.add %i, %one : tensor<i64>
        %s = stablehlo.tanh %t : tensor<f32>
        %d = stablehlo.add %s, %x : tensor<f32>
        %g = stablehlo.compare LT, %d, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %k, %d, %g : tensor<i64>, tensor<f32>, tensor<i1>
      }
      return %r#1 : tensor<f32>
    }""")
    args = np.float32(0.3), np.int64(3)
    wanted = float(np.asarray(interp.run(module, *args)[0]))
    assert float(np.asarray(interp.compare(module, *args).outputs[0])) == wanted
    assert wanted == pytest.approx(np.tanh(np.tanh(np.tanh(0.3) + 0.3) + 0.3) + 0.3, rel=1e-6)
