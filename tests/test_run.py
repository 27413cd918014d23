"""Arguments of `run`: storage in the parameters' types; everything else is refused with what to do."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import interp
from spec.types import ELEMENT_TYPES, TensorType, parse_type
from tests.library import builders

SUM = """
!q = !quant.uniform<i8<-100:100>:f32, 5.000000e-01:3>
func.func @main(%x: tensor<4x!q>, %init: tensor<!q>) -> tensor<!q> {
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %1 = stablehlo.add %a, %b : tensor<!q>
    stablehlo.return %1 : tensor<!q>
  }) {dimensions = array<i64: 0>} : (tensor<4x!q>, tensor<!q>) -> tensor<!q>
  return %0 : tensor<!q>
}
func.func @half(%x: tensor<bf16>) -> tensor<bf16> {
  %0 = stablehlo.add %x, %x : tensor<bf16>
  return %0 : tensor<bf16>
}"""


@pytest.fixture(scope="module")
def module() -> Any:
    return interp.load(SUM)


X = np.array([3, 4, 5, 6], np.int8)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((X,), "takes 2 arguments, 1 given"),
        ((X, np.int8(3), np.int8(3)), "takes 2 arguments, 3 given"),
        ((X[:3], np.int8(3)), "%x has another shape"),
        ((X, np.array([3], np.int8)), "%init has another shape"),
        ((np.int8([101, 0, 0, 0]), np.int8(3)), "%x is out of the range"),
        ((np.int64([-101, 0, 0, 0]), np.int8(3)), "%x is out of the range"),
        ((X.astype(np.float32), np.int8(3)), "%x is float32, its parameter is quantized"),
        ((X, 1.5), "%init is float64, its parameter is quantized"),
        ((np.array(["a"] * 4), np.int8(3)), "%x is <U1, its parameter is quantized"),
    ],
)
def test_refused_arguments(module: Any, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(interp.Malformed) as caught:
        interp.run(module, *args)
    assert message in str(caught.value)


def test_a_float_argument_is_told_to_quantize(module: Any) -> None:
    with pytest.raises(interp.Malformed, match=r"interp\.to_storage\(x, m\.main\.inputs\[0\]\.type\)"):
        interp.run(module, X.astype(float), np.int8(3))


def test_accepted_arguments(module: Any) -> None:
    """Wider and Python integers in range, tensors of the type: 0.5 * (0 + 1 + 2 + 3) is 3, stored 9."""
    (out,) = interp.run(module, X, np.int8(3))
    assert out.storage == 9
    assert out.dequantize() == np.float32(3)
    assert interp.run(module, X.tolist(), 3)[0] == out
    assert interp.run(module, X.astype(np.uint64), out.storage * 0 + 3)[0] == out
    type = module.main.inputs[0].type
    assert interp.run(module, interp.Tensor(type, X), 3)[0] == out


def test_a_tensor_of_another_type(module: Any) -> None:
    other = interp.Tensor(parse_type("tensor<4x!quant.uniform<i8:f32, 2.0>>"), X)
    with pytest.raises(interp.Malformed, match="%x has another type"):
        interp.run(module, other, 3)


def test_exotic_floats_travel_as_their_bits(module: Any) -> None:
    expected = ml_dtypes.bfloat16(3.0)
    one_and_a_half = np.array(1.5, ml_dtypes.bfloat16)
    assert interp.run(module, one_and_a_half, function="half")[0].storage == expected
    assert interp.run(module, one_and_a_half.view(np.uint16), function="half")[0].storage == expected
    with pytest.raises(interp.Malformed, match="without loss"):
        interp.run(module, np.float32(1.5), function="half")


@pytest.mark.parametrize("name", ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN"])
def test_bytes_of_narrow_floats_have_no_spare_bits(name: str) -> None:
    """Engine and compiler would each read the spare bits in their own way."""
    program = f"func.func @main(%x: tensor<3x{name}>) -> tensor<3x{name}> {{ return %x : tensor<3x{name}> }}"
    dtype, bits = parse_type(f"tensor<{name}>").storage_type.numpy, int(name[1])
    greatest = np.uint8([3, 1, 2**bits - 1])
    for x in (greatest, greatest.view(dtype)):
        assert interp.run(program, x)[0].storage.view(np.uint8).tolist() == greatest.tolist()
    beyond = np.uint8([3, 1, 2**bits])
    for x in (beyond, beyond.view(dtype), np.repeat(beyond, 2).view(dtype)[::2]):
        with pytest.raises(interp.Malformed, match=f"%x has bytes of more than {bits} bits"):
            interp.run(program, x)
    if bits == 4:
        with pytest.raises(interp.Malformed, match="bytes of more than 4 bits"):
            interp.compile(program)(beyond.view(dtype))


def test_an_unknown_function_and_an_unknown_schedule(module: Any) -> None:
    with pytest.raises(interp.Malformed, match="no function @other"):
        interp.run(module, X, 3, function="other")
    for schedule in ("right", "", 3, None):
        with pytest.raises(interp.Malformed, match="is not a schedule"):
            interp.run(module, X, 3, schedule=schedule)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("foo", None),
        ("left", 3),
        ("blocks", None),
        ("blocks", 0),
        ("blocks", 2.0),
        ("windows", 1),
        ("random", "7"),
        ("random", True),
        ("tree", None),
        ("tree", ((0, 1, 2),)),
        ("tree", (3,)),
    ],
)
def test_a_schedule_is_judged_when_it_is_made(name: str, argument: Any) -> None:
    with pytest.raises(interp.Malformed, match="is not a schedule"):
        interp.schedules.Schedule(name, argument)


@pytest.mark.parametrize("use", ["run", "trace", "compare", "compile", "verify"])
def test_what_is_no_module(use: str) -> None:
    for source in (3, None):
        with pytest.raises(interp.Malformed, match=r"expected a program, got (int|NoneType)\n  readable: "):
            getattr(interp, use)(source)


def test_arguments_that_are_no_arrays(module: Any) -> None:
    with pytest.raises(interp.Malformed, match="%x"):
        interp.run(module, [[1, 2], [3]], 3)
    with pytest.raises(interp.Malformed, match="%x is masked"):
        interp.run(module, np.ma.masked_array(X, [True, False, False, False]), 3)


TOO_LARGE = {
    "iota": "%0 = stablehlo.iota dim = 0 : tensor<9x1000000000000000xi8>",
    "constant": "%0 = stablehlo.constant dense<1> : tensor<9x1000000000000000xi8>",
    "broadcast": """%0 = stablehlo.broadcast_in_dim %x, dims = []
      : (tensor<i8>) -> tensor<9x1000000000000000xi8>""",
    "pad": """%0 = stablehlo.pad %row, %x, low = [8999999999999999], high = [0], interior = [0]
      : (tensor<1xi8>, tensor<i8>) -> tensor<9000000000000000xi8>""",
    "window": """%0 = "stablehlo.reduce_window"(%row, %x) ({
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        stablehlo.return %a : tensor<i8>
    }) {window_dimensions = array<i64: 1125000000000000>, padding = dense<[[0, 1124999999999999]]>
      : tensor<1x2xi64>} : (tensor<1xi8>, tensor<i8>) -> tensor<1xi8>""",
    "padding": """%0 = "stablehlo.reduce_window"(%row, %x) ({
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        stablehlo.return %a : tensor<i8>
    }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 9000000000000000>,
      padding = dense<[[8999999999999999, 0]]> : tensor<1x2xi64>}
      : (tensor<1xi8>, tensor<i8>) -> tensor<1xi8>""",
    "convolution": """%0 = stablehlo.convolution(%image, %image)
      dim_numbers = [b, 0, f]x[i, 0, o]->[b, 0, f],
      window = {stride = [9000000000000000], pad = [[8999999999999998, 0]], lhs_dilate = [1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x2x1xi8>, tensor<1x2x1xi8>) -> tensor<1x1x1xi8>""",
}


@pytest.mark.parametrize("op", TOO_LARGE)
def test_what_no_memory_holds_is_refused_before_it_runs(op: str) -> None:
    """Each needs 9e15 bytes at once: a result, a padded operand, or 8 bytes for every element of a window."""
    program = interp.load(f"""
    func.func @main(%x: tensor<i8>, %row: tensor<1xi8>, %image: tensor<1x2x1xi8>) {{
      call @part(%x, %row, %image) : (tensor<i8>, tensor<1xi8>, tensor<1x2x1xi8>) -> ()
      return
    }}
    func.func private @part(%x: tensor<i8>, %row: tensor<1xi8>, %image: tensor<1x2x1xi8>) {{
      {TOO_LARGE[op]}
      return
    }}""")
    args = np.int8(0), np.zeros(1, np.int8), np.zeros((1, 2, 1), np.int8)
    for use in (interp.run, interp.compare):
        with pytest.raises(interp.Unsupported, match=r"^<text>:7:\d+: .* needs \d(,\d{3}){5} bytes\n"):
            use(program, *args)


@pytest.mark.parametrize(
    "op",
    [
        "iota dim = 1 :",
        "pad %x, %p, low = [0, 6], high = [0, 0], interior = [0, 0] : (tensor<2x2xi8>, tensor<i8>) ->",
    ],
)
def test_indices_take_memory_too(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen bytes of results, but an index of 8 bytes for each of the 8 positions of a dimension."""
    signature = "(%x: tensor<2x2xi8>, %p: tensor<i8>) -> tensor<2x8xi8>"
    program = builders.function(signature, f"%0 = stablehlo.{op} tensor<2x8xi8>")
    args = np.zeros((2, 2), np.int8), np.int8(0)
    monkeypatch.setenv("INTERP_MEMORY", "64")
    assert interp.run(program, *args)
    monkeypatch.setenv("INTERP_MEMORY", "63")
    with pytest.raises(interp.Unsupported, match="a table of indices needs 64 bytes"):
        interp.run(program, *args)


def large_window(n: int, element: str = "f32") -> interp.Module:
    """One window of n positions over 4 elements and their padding."""
    type = ELEMENT_TYPES[element]
    op = builders.reduce_window("add", type, type, (4,), (n,), padding=((n - 4, 0),))
    return interp.load(repr(builders.module(op)))  # so that it stands somewhere


@pytest.mark.parametrize("use", [interp.run, interp.trace])
def test_a_padded_operand_is_held(use: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """100 positions of 4 bytes, and 8 for the index of each."""
    program, args = large_window(100), (np.ones(4, np.float32), np.float32(0))
    monkeypatch.setenv("INTERP_MEMORY", "800")
    assert use(program, *args)
    monkeypatch.setenv("INTERP_MEMORY", "799")
    with pytest.raises(interp.Unsupported, match="a table of indices needs 800 bytes"):
        use(program, *args)


def compiled(module: interp.Module, *args: Any, schedule: str) -> Any:
    return interp.compile(module, schedule=schedule)(*args)


@pytest.mark.parametrize(("use", "size"), [(interp.trace, 1200), (interp.run, 1200), (compiled, 1600)])
@pytest.mark.parametrize("schedule", ["balanced", "blocks(3)"])
def test_schedules_that_take_all_leaves_at_once_hold_them(
    use: Callable[..., Any], size: int, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 leaves of 4 bytes, compiled of 8, and 8 for the index of each."""
    program, args = large_window(100), (np.ones(4, np.float32), np.float32(0))
    monkeypatch.setenv("INTERP_MEMORY", str(size))
    assert use(program, *args, schedule=schedule)
    monkeypatch.setenv("INTERP_MEMORY", str(size - 1))
    message = rf"a schedule that takes all leaves at once needs {size:,} bytes\n"
    with pytest.raises(interp.Unsupported, match=message):
        use(program, *args, schedule=schedule)


def test_a_large_window_takes_memory_for_its_positions_and_no_objects() -> None:
    """Objects for each took 150 bytes; and the table stood in the compiled program."""
    n = 200_001
    program, args = large_window(n), (np.arange(4, dtype=np.float32), np.float32(0))
    interp.run(program, *args, schedule="balanced")
    tracemalloc.start()
    (out,) = interp.run(program, *args, schedule="balanced")
    assert tracemalloc.get_traced_memory()[1] < 50 * n
    tracemalloc.stop()
    assert out.storage.tolist() == [6]
    assert len(repr(interp.lower(program))) < n


def test_the_limit_of_memory_is_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight elements of bf16 in f32, their carrier: 32 bytes."""
    program = builders.function("() -> tensor<8xbf16>", "%0 = stablehlo.constant dense<1.0> : tensor<8xbf16>")
    monkeypatch.setenv("INTERP_MEMORY", "32")
    assert interp.run(program)
    monkeypatch.setenv("INTERP_MEMORY", "31")
    with pytest.raises(interp.Unsupported, match="needs 32 bytes\n  8 elements of 4 bytes, the limit is 31"):
        interp.run(program)
    monkeypatch.setenv("INTERP_MEMORY", "2GB")
    with pytest.raises(interp.Malformed, match="INTERP_MEMORY=2GB"):
        interp.run(program)


def test_a_violation_is_raised_before_anything_runs() -> None:
    """A zero point outside the storage range is what jaxlib lets through in a signature."""
    type = "tensor<!quant.uniform<i8:f32, 0.5:300>>"
    broken = interp.load(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}")
    with pytest.raises(interp.Violation, match="quantized_type_c7"):
        interp.run(broken, 3)


def test_an_op_that_is_not_built_says_where(module: Any) -> None:
    line = "%0 = arith.negf %m : tensor<2x2xf32>"
    program = builders.function("(%m: tensor<2x2xf32>) -> tensor<2x2xf32>", line)
    with pytest.raises(interp.Unsupported, match=r"<text>:3:6: arith\.negf is not built"):
        interp.run(program, np.eye(2, dtype=np.float32))


@pytest.mark.parametrize("values", [[0.0, 1.0, 1000.0], [0.25, -0.25, np.nan]])
def test_to_storage_is_uniform_quantize(values: list[float]) -> None:
    """Ties go to even after the zero point is added; NaN is 0, and the ends saturate."""
    type = TensorType((3,), parse_type("tensor<3x!quant.uniform<i8:f32, 0.5:3>>").element_type)
    expected = {0.0: 3, 1.0: 5, 1000.0: 127, 0.25: 4, -0.25: 2}
    stored = interp.to_storage(values, type)
    assert stored.dtype == np.int8
    assert stored.tolist() == [expected.get(v, 0) for v in values]


def test_to_storage_wants_a_shape_that_the_parameters_fit() -> None:
    """Two scales along dimension 1, which a vector has not and a matrix of three columns has too many of."""
    type = "!quant.uniform<i8:f32:1, {0.5,1.0}>"
    assert interp.to_storage([[1.0, 2.0]], type).tolist() == [[2, 2]]
    for values, clause in (([1.0, 2.0], "c12"), ([[1.0, 2.0, 3.0]], "c13")):
        with pytest.raises(interp.Malformed, match=f"no array of shape .*\n  quantized_type_{clause}"):
            interp.to_storage(values, type)


def test_results_are_the_callers_own() -> None:
    """A program that only moves its argument gives a copy: later writes to either leave the other alone."""
    move = interp.load("""
    func.func @main(%x: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<3x2xi8>, tensor<2x2x3xi8>) {
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
      %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xi8>) -> tensor<2x2x3xi8>
      return %x, %0, %1 : tensor<2x3xi8>, tensor<3x2xi8>, tensor<2x2x3xi8>
    }""")
    x = np.arange(6, dtype=np.int8).reshape(2, 3)
    outs = interp.run(move, x)
    for out in outs:
        out.storage[...] = 100
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    (same, turned, _) = interp.run(move, np.asfortranarray(x))
    assert same.storage.tolist() == x.tolist()
    assert turned.storage.tolist() == x.T.tolist()


@pytest.mark.parametrize("element", ["i32", "f32"])
def test_a_result_that_constants_determine_is_the_callers_own(element: str) -> None:
    """It is computed once for all runs, and a caller may write to it."""
    type = f"tensor<2x{element}>"
    module = interp.load(f"""
func.func @main(%x: {type}) -> ({type}, {type}) {{
  %a = stablehlo.iota dim = 0 : {type}
  %b = stablehlo.add %a, %a : {type}
  return %a, %b : {type}, {type}
}}""")
    for _ in range(2):
        a, b = interp.run(module, np.zeros(2, "int32" if element == "i32" else "float32"))
        assert (a.tolist(), b.tolist()) == ([0, 1], [0, 2])
        a.storage[...] = b.storage[...] = 7


def test_results_do_not_share_memory() -> None:
    constant = builders.function(
        "() -> (tensor<2xi8>, tensor<2xi8>)",
        "%0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>",
        "return %0, %0 : tensor<2xi8>, tensor<2xi8>",
    )
    first, second = interp.run(constant)
    first.storage[...] = 100
    assert second.storage.tolist() == [1, 2]
    assert interp.run(constant)[0].storage.tolist() == [1, 2]


def test_contractions_are_named(module: Any) -> None:
    with pytest.raises(interp.Malformed, match="'lib' is not a way to contract"):
        interp.run(module, X, 3, contractions="lib")


def test_library_contractions_differ_only_in_order() -> None:
    """1e8 + 1 - 1e8 is 0 from the left in f32 and may be 1 in another schedule; integers have one sum."""
    dot = builders.single("dot_general", "3xf32; 3xf32 -> f32", **builders.contracting())
    x, one = np.float32([1e8, 1, -1e8]), np.ones(3, np.float32)
    assert interp.run(dot, x, one)[0].storage == 0
    assert interp.run(dot, x, one, contractions="library")[0].storage in (0, 1)


def test_library_contractions_keep_the_type() -> None:
    """256 + 1 is 256 in bf16, a tie to even, and an i8 sum wraps: 100 + 100 is 200 - 256."""
    for type, x, expected in (("bf16", [256, 1], 256), ("i8", [100, 100], -56)):
        dot = builders.single("dot_general", f"2x{type}; 2x{type} -> {type}", **builders.contracting())
        storage = dot.main.inputs[0].type.storage_type.numpy
        args = np.array(x).astype(storage), np.ones(2).astype(storage)
        assert interp.run(dot, *args, contractions="library")[0].storage == expected
