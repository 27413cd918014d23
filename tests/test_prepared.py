"""Regions made ready to run: constants are made once, large values freed, scalars treated like arrays."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Context, Listener
from interp.engine.prepared import LARGE, Operations, code
from interp.kernels import OPERATIONS
from spec.errors import Bug, Unsupported
from spec.ir import Module
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, ElementType

LOOP = interp.load("""
func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %r:3 = stablehlo.while(%a = %zero, %b = %x, %m = %n) : tensor<i32>, tensor<f32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %a, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c = stablehlo.add %a, %one : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %d = func.call @scaled(%b, %half) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c, %d, %m : tensor<i32>, tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
func.func private @scaled(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %z = stablehlo.multiply %x, %y : tensor<f32>
  return %z : tensor<f32>
}""")


class Heard(Listener):
    """Keeps what every operation gave."""

    def __init__(self) -> None:
        self.found: list[tuple[str, list[object]]] = []

    def on_op(self, op, operands, results, place) -> None:  # type: ignore[no-untyped-def]
        assert len(operands) == len(op.operands)
        self.found.append((op.name.split(".")[1], [np.asarray(x).item() for x in results]))


def prepared(module: Module, operations: Operations = OPERATIONS):  # type: ignore[no-untyped-def]
    return code(module.main.body, NUMPY, operations)


def test_a_loop_captures_constants_and_calls() -> None:
    count, x = interp.run(LOOP, np.int32(4))
    assert (count.item(), x.item()) == (4, 0.0625)
    assert [y.item() for y in interp.compile(LOOP)(np.int32(4))] == [4, 0.0625]


def test_listeners_hear_constants_in_every_run_and_iteration() -> None:
    heard = Heard()
    interp.run(LOOP, np.int32(2), listeners=heard)
    body = [("add", 1), ("constant", 1), ("multiply", 1), ("call", 1)]
    expected = [("constant", 1)] * 3 + [("compare", 1), *body] * 2 + [("compare", 1), ("while", 3)]
    assert [(name, len(results)) for name, results in heard.found] == expected
    again = Heard()
    interp.run(LOOP, np.int32(2), listeners=again)
    assert again.found == heard.found


def test_constants_are_made_once_where_arrays_last() -> None:
    main = LOOP.main.body
    assert prepared(LOOP) is prepared(LOOP)
    assert [step.op.name for step in prepared(LOOP).computing] == ["stablehlo.while"]
    xp = jax_namespace()
    assert code(main, xp, OPERATIONS) is not code(main, xp, OPERATIONS)


def test_a_prepared_region_does_not_keep_its_module() -> None:
    module = interp.load(repr(LOOP))
    interp.run(module, np.int32(1))
    kept = weakref.ref(module.main.body)
    del module
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize(("size", "freed"), [(LARGE, True), (LARGE - 1, False)])
def test_large_values_are_freed_when_nothing_reads_them_any_more(size: int, freed: bool) -> None:
    type = f"tensor<{size}xf32>"
    module = interp.load(f"""func.func @main(%x: {type}) -> {type} {{
      %a = stablehlo.add %x, %x : {type}
      %b = stablehlo.multiply %a, %x : {type}
      %c = stablehlo.negate %b : {type}
      return %c : {type}
    }}""")
    alive: list[bool] = []
    made: list[weakref.ref[np.ndarray]] = []

    class Watching(Listener):
        def on_op(self, op, operands, results, place) -> None:  # type: ignore[no-untyped-def]
            made.append(weakref.ref(results[0]))
            alive.append(made[0]() is not None)

    interp.run(module, np.ones(size, np.float32), listeners=Watching())
    assert alive == [True, True, not freed]


def test_a_kernel_with_other_results_than_its_operation_is_a_bug() -> None:
    kernels = {**OPERATIONS.kernels, "stablehlo.while": lambda ctx, op, *operands: operands[:2]}
    wrong = replace(OPERATIONS, kernels=kernels)
    with pytest.raises(Bug, match="other results"):
        Context(NUMPY, LOOP, LEFT, wrong).call("main", (np.int32(2),))
    with pytest.raises(Bug, match="other arguments"):
        Context(NUMPY, LOOP, LEFT, OPERATIONS).call("scaled", (np.float32(2), np.float32(2), np.float32(2)))


def test_an_operation_without_a_kernel_is_named() -> None:
    body = LOOP["scaled"].body
    unknown = replace(body, ops=(replace(body.ops[0], name="stablehlo.unknown"), *body.ops[1:]))
    with pytest.raises(Unsupported, match=r"stablehlo\.unknown is not built"):
        Context(NUMPY, LOOP, LEFT, OPERATIONS).run(unknown, (np.float32(2), np.float32(2)))


def test_scalars_are_updated_like_arrays() -> None:
    """NumPy's scalars cannot be written to."""
    module = interp.load("""func.func @main(%x: tensor<i16>, %y: tensor<i16>) -> tensor<i16> {
      %0 = "stablehlo.dynamic_update_slice"(%x, %y) : (tensor<i16>, tensor<i16>) -> tensor<i16>
      return %0 : tensor<i16>
    }""")
    assert interp.run(module, np.int16(1), np.int16(2))[0].item() == 2
    assert int(interp.compile(module)(np.int16(1), np.int16(2))[0]) == 2


NAN, INF = float("nan"), float("inf")
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, NAN, -NAN, INF, -INF, 1e-45, -1e-45], np.float32)


@pytest.mark.parametrize("name", ["float_maximum", "float_minimum"])
@pytest.mark.parametrize("repeated", [1, 100])
def test_extremes_order_zeros_and_propagate_nan(name: str, repeated: int) -> None:
    """NumPy's own say nothing of zeros; the general formula is that of the base class."""
    x, y = (np.tile(part.reshape(-1), repeated) for part in np.meshgrid(SPECIAL, SPECIAL))
    general = getattr(super(type(NUMPY), NUMPY), name)
    with np.errstate(all="ignore"):
        ours = getattr(NUMPY, name)(x, y)
        assert ours.tobytes() == general(x, y).tobytes()
        for a, b in zip(x[:100], y[:100], strict=True):
            assert getattr(NUMPY, name)(a, b).tobytes() == np.asarray(general(a, b), np.float32).tobytes()


NARROW = [type for type in ELEMENT_TYPES.values() if type.kind == "float" and type.bits <= 16]


@pytest.mark.parametrize("type", NARROW, ids=str)
def test_a_choice_between_numbers_needs_no_rounding(type: ElementType) -> None:
    """Rounding a number of a type to the type changes no bit."""
    codes = np.arange(2**type.bits, dtype=f"uint{numpy_dtype(type).itemsize * 8}")
    with np.errstate(all="ignore"):
        numbers = NUMPY.decode(codes.view(numpy_dtype(type)), type)
        again = NUMPY.round_to(numbers, type)
    assert np.array_equal(again, numbers, equal_nan=True)
    assert np.array_equal(np.signbit(again[~np.isnan(again)]), np.signbit(numbers[~np.isnan(again)]))


def test_what_constants_determine_is_computed_once_but_heard_each_time() -> None:
    """-(2 + 3) is one number for all runs; 3 in 2^16 places is not kept, since it is much larger than 3."""
    module = interp.load("""
      func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
        %a = stablehlo.constant dense<2.0> : tensor<f32>
        %b = stablehlo.constant dense<3.0> : tensor<f32>
        %c = stablehlo.add %a, %b : tensor<f32>
        %d = stablehlo.negate %c : tensor<f32>
        %e = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<f32>) -> tensor<65536xf32>
        %f = stablehlo.add %e, %e : tensor<65536xf32>
        %y = stablehlo.multiply %x, %f : tensor<65536xf32>
        return %y : tensor<65536xf32>
      }""")
    ready = prepared(module, replace(OPERATIONS, join=None))
    assert [step.op.name.split(".")[1] for step in ready.computing] == ["broadcast_in_dim", "add", "multiply"]
    assert [float(x) for x in ready.rest[:4]] == [2, 3, 5, -5]
    heard = Names()
    for listeners in ([], [heard], []):
        (y,) = interp.run(module, np.full(65536, 2, np.float32), listeners=listeners)
        assert np.all(np.asarray(y) == -20)
    assert heard.names == ["constant", "constant", "add", "negate", "broadcast_in_dim", "add", "multiply"]


class Names(Listener):
    def __init__(self) -> None:
        self.names: list[str] = []

    def on_op(self, op, operands, results, place) -> None:  # type: ignore[no-untyped-def]
        self.names.append(op.name.split(".")[1])
