"""Tapes: runs of f32 operations in one call have the bits of their steps, whatever the layouts."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.speed import taping
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.schedule import LEFT
from tests.library.builders import chained, convolution, oracle, quantized
from tests.library.strategies import taped_integer_programs as integers
from tests.library.strategies.programs import Program
from tests.library.strategies.taped_programs import BINARY, STEPS, taped

pytest.importorskip("llvmlite", reason="it has no wheel here")
machine_code = pytest.importorskip("interp.backends.machine_code")
tape = pytest.importorskip("interp.speed.tape")


@contextmanager
def plans_of_runs(**limits: int) -> Iterator[list[taping.Plan]]:
    """Yield a list of the plans that run, under other limits of `taping`."""
    plans: list[taping.Plan] = []
    run = taping.Plan.run

    def note(plan: taping.Plan, operands: Any) -> Any:
        plans.append(plan)
        return run(plan, operands)

    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setattr(taping, name, limit)
        patch.setattr(taping.Plan, "run", note)
        yield plans


@pytest.fixture(autouse=True)
def runs() -> Iterator[list[taping.Plan]]:
    """Make tapes of single operations, too, and at once; give the plans that ran."""
    with plans_of_runs(LEAST=1, SOON=0) as plans:
        yield plans


def bits(tensors: Any) -> list[bytes]:
    return [x.storage.tobytes() for x in tensors]


def by_steps(module: Module, *args: Any) -> list[bytes]:
    return bits(interp.run(module, *args, listeners=[Listener()]))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@given(data=st.data())
def test_a_tape_has_the_bits_of_the_steps(step: Any, data: st.DataObject) -> None:
    """Twice, as the memory of the first run is used again."""
    program: Program = data.draw(taped(step))
    expected = by_steps(program.module, *program.args)
    for _ in range(2):
        assert bits(interp.run(program.module, *program.args)) == expected


@pytest.mark.parametrize("step", integers.STEPS, ids=lambda step: step.__name__)
@given(data=st.data())
def test_a_tape_of_integers_has_the_bits_of_the_steps(step: Any, data: st.DataObject) -> None:
    program: Program = data.draw(integers.taped_integers(step))
    expected = by_steps(program.module, *program.args)
    for _ in range(2):
        assert bits(interp.run(program.module, *program.args)) == expected


EDGES = np.float32(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 2**-126, -(2**-126), 3.4e38, -3.4e38]
)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operations_at_the_edges(name: str, runs: list[taping.Plan]) -> None:
    """Every pair of edges has the results of the oracle, in vectors and in what is left of them."""
    a, b = (np.ascontiguousarray(x) for x in np.meshgrid(EDGES, EDGES))
    module = chained("x y: 13x13xf32", f"{name} x y")
    found = interp.run(module, a, b)
    expected = oracle(module, a.ravel().tolist(), b.ravel().tolist())
    np.testing.assert_array_equal(found[0].storage.ravel(), np.float32(expected))
    assert bits(found) == by_steps(module, a, b)
    assert len(runs) == 1


QUANTIZED = (
    "i8:f32, 0.5",
    "u8:f32, 0.1:255",
    "i8<-127:127>:f32, 0.25:-127",
    "i8<3:90>:f32, 0.5:5",
    "u16:f32, 0.25:65535",
    "i16:f32, 0.3:-32768",
    "i32:f32, 0.5:-7",
    "i8:f32:0, {0.5:-128,0.1:127,2.0:0}",
)


@pytest.mark.parametrize("parameters", QUANTIZED)
def test_quantization_at_the_edges(parameters: str, runs: list[taping.Plan]) -> None:
    """Ties, saturation, infinities and NaN have the storage that the oracle gives, and its numbers."""
    ties = np.float32(
        [(k + 0.5) * scale for scale in (0.5, 0.1, 0.25, 2.0) for k in (-3, -2, -1, 0, 1, 2, 64)]
    )
    row = np.concatenate([EDGES, ties, np.float32([-1e4, 1e4, 2.0**31, -(2.0**31), 2.0**30, -0.2])])
    x = np.stack([row] * 3)
    text, type = "x".join(map(str, x.shape)), quantized(parameters)
    module = interp.load(f"""
func.func @main(%x: tensor<{text}xf32>) -> (tensor<{text}x{type}>, tensor<{text}xf32>) {{
  %q = stablehlo.uniform_quantize %x : (tensor<{text}xf32>) -> tensor<{text}x{type}>
  %y = stablehlo.uniform_dequantize %q : (tensor<{text}x{type}>) -> tensor<{text}xf32>
  return %q, %y : tensor<{text}x{type}>, tensor<{text}xf32>
}}""")
    found = interp.run(module, x)
    assert bits(found) == by_steps(module, x)
    assert len(runs) == 1
    expected = evaluate(module, [Tensor(module.main.inputs[0].type, tuple(x.ravel().tolist()))], LEFT)
    for tensor, answer in zip(found, expected, strict=True):
        np.testing.assert_array_equal(tensor.storage.ravel(), np.array(answer.elements, tensor.storage.dtype))


FUNCTIONS = "exponential", "logistic", "tanh", "rsqrt"
BEYOND = 3 * 2.0**-23  # its logistic is below a tie of f32, by less than f64 can tell: f64 would round up


@pytest.mark.parametrize("name", FUNCTIONS)
@given(seed=st.integers(0, 2**20))
def test_functions_are_rounded_correctly(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    any_bits = rng.integers(0, 2**32, 2000, np.uint32).view(np.float32)
    usual = np.float32(rng.normal(size=2000) * 10.0 ** rng.integers(-8, 3))
    x = np.concatenate([EDGES, any_bits, usual])
    module = chained(f"x: {x.size}xf32", f"{name} x")
    assert bits(interp.run(module, x)) == by_steps(module, x)


@pytest.mark.parametrize("count", [1, 3000])
def test_results_near_to_a_tie_are_decided_again(
    count: int, monkeypatch: pytest.MonkeyPatch, runs: list[taping.Plan]
) -> None:
    """One by one, or all of them where they are many."""
    decided, decide = [], tape.Tape._decide
    monkeypatch.setattr(
        tape.Tape, "_decide", lambda self, x: (decided.append(int(self.doubts[0])), decide(self, x))
    )
    x = np.full(count, BEYOND, np.float32)
    module = chained(f"x: {count}xf32", "y = logistic x", "add y y")
    found = interp.run(module, x)
    assert decided == [count]
    assert (found[0].storage == np.float32(1 + 2**-23)).all()
    assert bits(found) == by_steps(module, x)


ADDING = chained("x: 4x5xf32", "y = add x x", "multiply y x")
X = np.float32(np.arange(20).reshape(4, 5))


def test_listeners_other_schedules_and_libraries_have_no_tape(runs: list[taping.Plan]) -> None:
    expected = by_steps(ADDING, X)
    for options in ({"schedule": "balanced"}, {"contractions": "library"}, {"fail_on": "saturate"}):
        assert bits(interp.run(ADDING, X, **options)) == expected
    assert not runs


def test_a_tape_in_use_leaves_others_to_their_steps(runs: list[taping.Plan]) -> None:
    (first,) = bits(interp.run(ADDING, X))
    with runs[0].tape.lock:
        assert bits(interp.run(ADDING, X)) == [first]
    assert len(runs) == 2


def test_threads_have_the_same_results() -> None:
    module = chained(
        "x: 64x64xf32", *(f"{c} = multiply {b} x" for b, c in ("xa", "ab", "bc", "cd")), "add d x"
    )
    args = [np.random.default_rng(k).normal(size=(64, 64)).astype(np.float32) for k in range(8)]
    expected = [by_steps(module, x) for x in args]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: bits(interp.run(module, args[k % 8])), range(64)))
    assert found == expected * 8


def test_results_are_not_memory_of_the_tape() -> None:
    (first,) = interp.run(ADDING, X)
    before = first.storage.copy()
    interp.run(ADDING, X + 1)
    assert (first.storage == before).all()


def test_what_a_loop_carries_is_not_memory_of_the_tape(runs: list[taping.Plan]) -> None:
    """A value of one round is read two rounds later."""
    module = interp.load("""
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %r:4 = stablehlo.while(%i = %n, %a = %x, %b = %x, %c = %x)
    : tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %d = stablehlo.add %a, %c : tensor<3xf32>
    stablehlo.return %j, %d, %a, %b : tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %r#1 : tensor<3xf32>
}""")
    args = np.int32(9), np.float32([1, 2, 3])
    assert bits(interp.run(module, *args)) == by_steps(module, *args)
    assert len(runs) == 1


@pytest.mark.parametrize(("groups", "features", "outputs"), [(1, 5, 40), (3, 4, 6), (8, 1, 8), (5, 1, 10)])
def test_groups_of_windows(groups: int, features: int, outputs: int, runs: list[taping.Plan]) -> None:
    """Groups of several features, depthwise, and depthwise with two outputs for each feature."""
    every, rng = groups * features, np.random.default_rng(groups)
    module = convolution(
        f"2x7x6x{every}xf32; 3x2x{features}x{outputs}xf32 -> 2x5x5x{outputs}xf32",
        "b01f 01io b01f",
        feature_group_count=groups,
    )
    args = [rng.normal(size=v.type.shape).astype(np.float32) for v in module.main.inputs]
    assert bits(interp.run(module, *args)) == by_steps(module, *args)
    assert len(runs) == 1


@pytest.mark.parametrize("weight", [1.0, np.inf, np.nan])
def test_holes_are_zero_products_whatever_the_weight(weight: float, runs: list[taping.Plan]) -> None:
    module = interp.load(f"""
func.func @main(%x: tensor<1x3x4xf32>) -> tensor<1x4x4xf32> {{
  %w = stablehlo.constant dense<"0x{np.full(32, weight, np.float32).tobytes().hex()}"> : tensor<2x4x4xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{pad = [[1, 1]]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x3x4xf32>, tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}}""")
    x = np.ones((1, 3, 4), np.float32)
    assert bits(interp.run(module, x)) == by_steps(module, x)
    assert len(runs) == np.isfinite(weight)


def test_weights_that_are_arguments_may_be_infinite(runs: list[taping.Plan]) -> None:
    """Without holes there is no product that is not there."""
    module = convolution("1x3x4xf32; 2x4x4xf32 -> 1x2x4xf32", "b0f 0io b0f")
    args = np.ones((1, 3, 4), np.float32), np.full((2, 4, 4), np.inf, np.float32)
    assert bits(interp.run(module, *args)) == by_steps(module, *args)
    assert len(runs) == 1


def test_a_body_is_called_with_many_scalars_at_once(runs: list[taping.Plan]) -> None:
    module = interp.load("""
func.func @main(%x: tensor<4x3xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %r = "stablehlo.reduce"(%x, %z) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %a = stablehlo.multiply %p, %p : tensor<f32>
      %b = stablehlo.add %a, %q : tensor<f32>
      %c = stablehlo.sqrt %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}""")
    args = np.float32(np.arange(12).reshape(4, 3)), np.float32(2)
    for _ in range(3):
        assert bits(interp.run(module, *args)) == by_steps(module, *args)


def test_without_llvm_the_steps_run(monkeypatch: pytest.MonkeyPatch, runs: list[taping.Plan]) -> None:
    monkeypatch.setattr(taping, "find_spec", lambda name: None)
    module = chained("x: 4x5xf32", "y = add x x", "subtract y x")
    assert bits(interp.run(module, X)) == by_steps(module, X)
    assert not runs


def test_few_short_operations_wait_for_a_second_run(
    monkeypatch: pytest.MonkeyPatch, runs: list[taping.Plan]
) -> None:
    monkeypatch.setattr(taping, "SOON", 1 << 16)
    module = chained("x: 4x5xf32", "y = add x x", "maximum y x")
    for expected in (0, 1, 2):
        interp.run(module, X)
        assert len(runs) == expected


def test_code_on_disk_is_read_and_damaged_code_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(machine_code.FOLDER, str(tmp_path))
    machine_code.folder.cache_clear()
    made = []

    def module() -> Any:
        made.append(1)
        found = machine_code.ir.Module()
        f = machine_code.Function(found, "seven", 0, inner=False)
        f.builder.ret(f.number(7).value)
        return found

    try:
        for expected in (1, 1):
            assert machine_code.addresses_from_disk("seven", module, ["seven"])[0]
            assert len(made) == expected
        (file,) = tmp_path.iterdir()
        file.write_bytes(file.read_bytes()[:-1])
        assert machine_code.addresses_from_disk("seven", module, ["seven"])[0]
        assert len(made) == 2
        assert machine_code.addresses_from_disk("eight", module, ["seven"])[0]
        assert len(made) == 3
    finally:
        machine_code.folder.cache_clear()


def numbers_of(text: str, *args: np.ndarray) -> list[np.ndarray]:
    """Return the results of three runs: the first may go by steps, the others by tape."""
    module = interp.load(text)
    return [np.asarray(interp.run(module, *args)[0]) for _ in range(3)]


def test_integers_that_leave_their_type_wrap_as_numpys_do() -> None:
    """Products with 2^26 leave i32, sums of two i8 leave i8; both are followed by more of the same."""
    x = np.arange(-128, 128, dtype=np.int8).repeat(64)
    text = """func.func @main(%x: tensor<16384xi8>) -> tensor<16384xi32> {
      %c = stablehlo.constant dense<67108864> : tensor<16384xi32>
      %0 = stablehlo.convert %x : (tensor<16384xi8>) -> tensor<16384xi32>
      %1 = stablehlo.multiply %0, %c : tensor<16384xi32>
      %2 = stablehlo.add %1, %1 : tensor<16384xi32>
      %3 = stablehlo.subtract %2, %0 : tensor<16384xi32>
      return %3 : tensor<16384xi32>
    }"""
    wide = x.astype(np.int64) * 2**27 - x
    expected = ((wide + 2**31) % 2**32 - 2**31).astype(np.int32)
    assert all(np.array_equal(y, expected) for y in numbers_of(text, x))
    text = """func.func @main(%x: tensor<16384xi8>) -> tensor<16384xi32> {
      %0 = stablehlo.add %x, %x : tensor<16384xi8>
      %1 = stablehlo.maximum %0, %x : tensor<16384xi8>
      %2 = stablehlo.convert %1 : (tensor<16384xi8>) -> tensor<16384xi32>
      %3 = stablehlo.add %2, %2 : tensor<16384xi32>
      return %3 : tensor<16384xi32>
    }"""
    doubled = ((2 * x.astype(np.int64) + 128) % 256 - 128).astype(np.int8)
    assert all(np.array_equal(y, 2 * np.maximum(doubled, x).astype(np.int32)) for y in numbers_of(text, x))


def test_a_quantized_sum_saturates_at_each_step_beside_taped_operations() -> None:
    """100 + 100 saturates at 127, then -100 leaves 27: a sum that is clipped once would be 100."""
    q = "!quant.uniform<i8:f32, 1.0>"
    text = f"""func.func @main(%x: tensor<3x4096xf32>) -> tensor<4096xf32> {{
      %q = stablehlo.uniform_quantize %x : (tensor<3x4096xf32>) -> tensor<3x4096x{q}>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %i = stablehlo.uniform_quantize %z : (tensor<f32>) -> tensor<{q}>
      %s = stablehlo.reduce(%q init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<3x4096x{q}>, tensor<{q}>) -> tensor<4096x{q}>
      %d = stablehlo.uniform_dequantize %s : (tensor<4096x{q}>) -> tensor<4096xf32>
      %e = stablehlo.add %d, %d : tensor<4096xf32>
      %f = stablehlo.negate %e : tensor<4096xf32>
      return %f : tensor<4096xf32>
    }}"""
    x = np.float32([100, 100, -100])[:, None].repeat(4096, 1)
    assert all(np.array_equal(y, np.full(4096, -54, np.float32)) for y in numbers_of(text, x))


def test_numbers_that_a_tape_reads_are_arrays_that_it_keeps() -> None:
    """NumPy computes a scalar, and no array, of one number: its address would be that of freed memory."""
    program = interp.load("""!q = !quant.uniform<i16:f32, 0.5>
    func.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {
      %low = stablehlo.constant() {value = dense<-3> : tensor<i16>} : () -> tensor<!q>
      %high = stablehlo.constant() {value = dense<9> : tensor<i16>} : () -> tensor<!q>
      %y = stablehlo.clamp %low, %x, %high : (tensor<!q>, tensor<4x!q>, tensor<!q>) -> tensor<4x!q>
      return %y : tensor<4x!q>
    }""")
    kept: list[Any] = []

    class Keep(list[Any]):
        def append(self, x: Any) -> None:
            kept.append(x)
            super().append(x)

    with pytest.MonkeyPatch.context() as patch:
        start = tape.Tape.__init__

        def begin(self: Any, *args: Any, **ways: Any) -> None:
            start(self, *args, **ways)
            self.keep = Keep(self.keep)

        patch.setattr(tape.Tape, "__init__", begin)
        x = np.int16([-20, 0, 5, 20])
        assert interp.run(program, x)[0].storage.tolist() == [-3, 0, 5, 9]
    assert {-1.5, 4.5} <= {float(x) for x in kept if x.ndim == 0}
    assert all(isinstance(x, np.ndarray) for x in kept)


def test_a_tape_copies_no_large_argument_for_a_piece_of_it(
    monkeypatch: pytest.MonkeyPatch, runs: list[taping.Plan]
) -> None:
    """It takes pieces of what it computed itself, of constants, and of arguments that are not large."""
    text = """
    func.func @main(%x: tensor<64xf32>, %y: tensor<8xf32>, %k: tensor<i32>)
        -> (tensor<8xf32>, tensor<64xf32>, tensor<8xf32>) {
      %table = stablehlo.constant dense<2.0> : tensor<64xf32>
      %a = stablehlo.add %y, %y : tensor<8xf32>
      %b = stablehlo.slice %x [8:16] : (tensor<64xf32>) -> tensor<8xf32>
      %c = stablehlo.dynamic_update_slice %x, %a, %k
        : (tensor<64xf32>, tensor<8xf32>, tensor<i32>) -> tensor<64xf32>
      %d = stablehlo.dynamic_slice %table, %k, sizes = [8] : (tensor<64xf32>, tensor<i32>) -> tensor<8xf32>
      %e = stablehlo.add %b, %d : tensor<8xf32>
      %f = stablehlo.multiply %c, %c : tensor<64xf32>
      %g = stablehlo.slice %f [0:8] : (tensor<64xf32>) -> tensor<8xf32>
      %h = stablehlo.add %e, %g : tensor<8xf32>
      return %h, %c, %a : tensor<8xf32>, tensor<64xf32>, tensor<8xf32>
    }"""
    args = np.arange(64, dtype=np.float32), np.arange(8, dtype=np.float32), np.int32(5)
    expected = by_steps(interp.load(text), *args)
    assert bits(interp.run(interp.load(text), *args)) == expected
    assert len(runs) == 1
    monkeypatch.setattr(taping, "COPIED", 64)
    assert bits(interp.run(interp.load(text), *args)) == expected
    sizes = [[x.size for x in plan.inputs] for plan in runs[1:]]
    assert sizes == [[8], [1, 8, 64]]


@pytest.mark.parametrize("size", [63, 64])
def test_large_weights_that_are_no_constants_are_left_where_they_are(
    size: int, monkeypatch: pytest.MonkeyPatch, runs: list[taping.Plan]
) -> None:
    monkeypatch.setattr(taping, "COPIED", 64)
    dot = "stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]"
    types = f"(tensor<2x1xf32>, tensor<1x{size}xf32>) -> tensor<2x{size}xf32>"
    text = f"""func.func @main(%x: tensor<2x1xf32>, %w: tensor<1x{size}xf32>) -> tensor<2x{size}xf32> {{
      %y = {dot} : {types}
      return %y : tensor<2x{size}xf32>
    }}"""
    program = interp.load(text)
    args = np.float32([[3], [-0.0]]), np.arange(size, dtype=np.float32)[None]
    assert bits(interp.run(program, *args)) == by_steps(program, *args)
    assert len(runs) == (size < 64)
    bound = interp.bind(program, {"w": args[1]})
    assert bits(interp.run(bound, args[0])) == by_steps(program, *args)
    assert len(runs) == (size < 64) + 1
