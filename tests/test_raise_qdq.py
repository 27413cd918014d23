"""`raise_qdq`: programs of exporters that simulate quantization become programs of quantized operations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.quantization.materialize import materialization
from interp.apps.quantization.raise_qdq import Raised, raise_qdq
from interp.engine.evaluate import Listener
from spec.ir import Func, Module, Op, Region, Value

EXPORTS = Path(__file__).resolve().parent.parent / "testdata" / "exports"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "exports"
NAMES = [
    "torch_cnn_static_int8",
    "torch_digits_int8",
    "torch_mobilenet_block_static_int8",
    "qwix_digits_int8",
]


def load(folder: Path, name: str) -> tuple[Module, Any]:
    (path,) = (p for p in folder.glob(f"{name}.*") if p.suffix != ".npz")
    return interp.load(path), np.load(folder / f"{name}.npz")


@pytest.fixture(scope="module", params=NAMES)
def export(request: Any) -> tuple[Module, list[np.ndarray], Raised]:
    module, arrays = load(EXPORTS, request.param)
    given = [arrays[name] for name in sorted(arrays) if name.startswith("arg")]
    return module, given, raise_qdq(module)


class Ports(Listener):
    """Keeps the operands and results of each region."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[Any, Any]] = {}

    def on_op(self, op: Op, operands: Any, results: Any, place: Any) -> None:
        if op.name == "quant.region":
            self.seen[op.results[0].name] = operands, results


def test_the_regions_simulate_what_the_program_computes(export: Any) -> None:
    module, given, raised = export
    assert [np.asarray(x).tobytes() for x in interp.run(raised.regions, *given)] == [
        np.asarray(x).tobytes() for x in interp.run(module, *given)
    ]


def test_jaxlib_accepts_the_program(export: Any) -> None:
    raised = export[2]
    assert interp.verify(raised.module, mode="strict") == []
    assert interp.load(repr(raised.module)) == raised.module
    assert interp.load(repr(raised.regions)) == raised.regions


def test_each_kernel_differs_by_the_steps_that_are_said(export: Any) -> None:
    """Given the same inputs, whatever the kernels before it made of theirs."""
    _, given, raised = export
    ports = Ports()
    interp.run(raised.regions, *given, listeners=[ports])
    said = {rewrite.value: rewrite.steps for rewrite in raised.rewrites}
    for op in raised.regions.main.body.ops:
        if op.name != "quant.region":
            continue
        operands, wanted = ports.seen[op.results[0].name]
        names = {v.name: v for v in op.operands}
        arguments = tuple(Value(f"%arg{k}", v.type) for k, v in enumerate(names.values()))
        known = dict(zip(names, arguments, strict=True))
        alone = replace(op, operands=tuple(known[v.name] for v in op.operands))
        body = Region(arguments, (alone, Op("func.return", op.results, ())))
        func = Func("main", body, tuple(v.type for v in op.results))
        made = materialization(Module({"main": func})).module
        stored = dict(zip((v.name for v in op.operands), operands, strict=True))
        results = interp.run(made, *(np.asarray(stored[name]) for name in names))
        for result, x, spec in zip(results, wanted, op["output_specs"], strict=True):
            if hasattr(spec, "scales"):
                steps = np.rint(np.abs(result.storage - np.asarray(x)) / np.float32(spec.scale))
                assert steps.max() <= said[op.results[0].name]


def test_every_kernel_is_made_of_quantized_operations(export: Any) -> None:
    raised = export[2]
    kinds = {op.name for op in raised.module.ops() if any(v.type.is_quantized for v in op.operands)}
    assert "stablehlo.convolution" in kinds
    float_ops = {
        op.name
        for op in raised.module.ops()
        if not any(v.type.is_quantized for v in (*op.operands, *op.results))
    }
    assert float_ops <= {"func.return", "stablehlo.add", "stablehlo.constant"}
    assert ("stablehlo.add" in float_ops) == bool(raised.left)


@pytest.mark.parametrize("name", ["jax_mlp", "jax_convnet_training_step", "torch_lstm"])
def test_a_program_that_simulates_nothing_keeps_its_bits(name: str) -> None:
    module, arrays = load(EXPORTS, name)
    given = [arrays[f"arg{k}"] for k in range(len(module.main.inputs))]
    raised = raise_qdq(module)
    assert not raised.rewrites
    assert raised.left
    assert interp.run(raised.module, *given) == interp.run(module, *given)


@pytest.mark.parametrize("name", ["digits_a", "qwix_a"])
def test_shared_exports_keep_their_accuracy(name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip(f"there is no folder {SHARED.name}/exports beside the repository")
    module, arrays = load(SHARED, name)
    raised = raise_qdq(module)
    assert not raised.left
    (result,), (wanted,) = (interp.run(m, arrays["inputs"]) for m in (raised.module, module))
    logits, simulated = result.storage, wanted.storage
    (scale,) = {op.operand.type.element_type.scale for op in raised.module.ops() if op.name == DEQUANTIZE}
    assert np.rint(np.abs(logits - simulated) / np.float32(scale)).max() <= 1
    right = [(x.argmax(1) == arrays["labels"]).mean() for x in (logits, simulated)]
    assert abs(right[0] - right[1]) <= 0.005


DEQUANTIZE = "stablehlo.uniform_dequantize"
T = "tensor<4xf32>"
# Ways to write the same quantization: i8, scale 0.1, zero point 3.
SPELLINGS = {
    "before": """
      %a = stablehlo.divide %x, %scale : T
      %b = stablehlo.add %a, %zero : T
      %c = stablehlo.round_nearest_even %b : T
      %d = stablehlo.clamp %lows, %c, %highs : T
      %e = stablehlo.subtract %d, %zero : T
      %f = stablehlo.multiply %e, %scale : T""",
    "integers": """
      %a = stablehlo.divide %x, %scale : T
      %b = stablehlo.add %zero, %a : T
      %c = stablehlo.round_nearest_even %b : T
      %i = stablehlo.convert %c : (T) -> tensor<4xi8>
      %d = stablehlo.convert %i : (tensor<4xi8>) -> T
      %e = stablehlo.subtract %d, %zero : T
      %f = stablehlo.multiply %scale, %e : T""",
    "after": """
      %a = stablehlo.divide %x, %scale : T
      %c = stablehlo.round_nearest_even %a : T
      %b = stablehlo.add %c, %zero : T
      %g = stablehlo.maximum %b, %lows : T
      %d = stablehlo.minimum %g, %highs : T
      %e = stablehlo.subtract %d, %zero : T
      %f = stablehlo.multiply %e, %scale : T""",
    "reciprocal": """
      %r = stablehlo.constant dense<10.0> : T
      %a = stablehlo.multiply %x, %r : T
      %b = stablehlo.add %a, %zero : T
      %g = stablehlo.clamp %lows, %b, %highs : T
      %c = stablehlo.round_nearest_even %g : T
      %e = stablehlo.subtract %c, %zero : T
      %f = stablehlo.multiply %e, %scale : T""",
}
HEAD = """
      %scale = stablehlo.constant dense<0.1> : T
      %zero = stablehlo.constant dense<3.0> : T
      %lows = stablehlo.constant dense<-128.0> : T
      %highs = stablehlo.constant dense<127.0> : T"""


def spelled(body: str) -> Module:
    text = f"func.func @main(%x: T) -> T {{ {HEAD} {body}\n %y = stablehlo.negate %f : T\n return %y : T }}"
    return interp.load(text.replace("T", T).replace("->tensor", "-> tensor"))


@pytest.mark.parametrize("name", SPELLINGS)
def test_arithmetic_is_read_as_quantization(name: str) -> None:
    raised = raise_qdq(spelled(SPELLINGS[name]))
    (quantize,) = (op for op in raised.module.ops() if op.name == "stablehlo.uniform_quantize")
    assert repr(quantize.result.type) == "tensor<4x!quant.uniform<i8:f32, 0.10000000149011612:3>>"
    (rewrite,) = (each for each in raised.rewrites if each.kernel == "uniform_quantize")
    assert rewrite.steps == (name in ("after", "reciprocal"))


@pytest.mark.parametrize("name", ["before", "integers"])
def test_an_exact_spelling_keeps_every_bit(name: str) -> None:
    module, x = spelled(SPELLINGS[name]), np.array([0.25, -0.35, 100, -7.149], np.float32)
    (result,), (wanted,) = (interp.run(m, x) for m in (raise_qdq(module).module, module))
    assert result == wanted


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%e = stablehlo.subtract %d, %zero", "%e = stablehlo.subtract %d, %scale"),
        ("%f = stablehlo.multiply %e, %scale", "%f = stablehlo.multiply %e, %zero"),
        ("%c = stablehlo.round_nearest_even", "%c = stablehlo.floor"),
        ("%a = stablehlo.divide %x, %scale", "%a = stablehlo.divide %scale, %x"),
        ("%d = stablehlo.clamp %lows, %c, %highs", "%d = stablehlo.clamp %lows, %c, %x"),
    ],
)
def test_other_arithmetic_is_left(old: str, new: str) -> None:
    assert old in SPELLINGS["before"]
    body = SPELLINGS["before"].replace(old, new)
    raised = raise_qdq(spelled(body))
    assert not raised.rewrites
    assert {"divide", "multiply"} <= {left.operation for left in raised.left}
    assert "neither its operands nor its result are quantized" in repr(raised)


STORED_AS = """
      %a = stablehlo.divide %x, %scale : T
      %c = stablehlo.round_nearest_even %a : T
      """


@pytest.mark.parametrize(
    "stored",
    [
        """%i = stablehlo.convert %c : (T) -> tensor<4xi8>
      %z = stablehlo.constant dense<3> : tensor<4xi8>
      %j = stablehlo.add %i, %z : tensor<4xi8>
      %k = stablehlo.convert %j : (tensor<4xi8>) -> T
      %d = stablehlo.subtract %k, %zero : T""",
        """%i = stablehlo.convert %c : (T) -> tensor<4xi8>
      %j = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xui8>
      %d = stablehlo.convert %j : (tensor<4xui8>) -> T""",
        """%b = stablehlo.convert %c : (T) -> tensor<4xbf16>
      %i = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xi16>
      %d = stablehlo.convert %i : (tensor<4xi16>) -> T""",
        """%i = stablehlo.convert %c : (T) -> tensor<4xi8>
      %j = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xi32>
      %d = stablehlo.convert %j : (tensor<4xi32>) -> T""",
        """%i = stablehlo.convert %c : (T) -> tensor<4xi8>
      %j = stablehlo.convert %i : (tensor<4xi8>) -> T
      %k = stablehlo.add %j, %zero : T
      %l = stablehlo.clamp %lows, %k, %thousand : T
      %d = stablehlo.subtract %l, %zero : T""",
    ],
    ids=[
        "a sum that wraps",
        "a conversion that wraps",
        "bf16",
        "two conversions",
        "saturated before the sum",
    ],
)
def test_what_happens_to_stored_integers_is_kept(stored: str) -> None:
    """Numbers of i8 or i16, which the float program saturates, wraps, or rounds to a bf16, stay so."""
    thousand = "%thousand = stablehlo.constant dense<1000.0> : T\n"
    end = "\n%f = stablehlo.multiply %d, %scale : T"
    module = spelled(f"{thousand}{STORED_AS}{stored}{end}")
    x = np.array([12.6, -0.32, 100, -30], np.float32)  # no ties
    (result,), (wanted,) = (interp.run(m, x) for m in (raise_qdq(module).module, module))
    np.testing.assert_array_equal(result.storage, wanted.storage)


@pytest.mark.parametrize("storage", ["i8", "i16", "i32"])
@pytest.mark.parametrize("name", ["after", "reciprocal"])
def test_an_inexact_spelling_differs_by_the_steps_that_are_said(name: str, storage: str) -> None:
    """In i32 the two roundings of a quotient of 2^31 are off by hundreds."""
    rng, n = np.random.default_rng(0), 4096
    limits = {"i8": (-128, 127), "i16": (-32768, 32767), "i32": (-(2**31), 2**31 - 128)}[storage]
    body = (HEAD + SPELLINGS[name]).replace("dense<-128.0>", f"dense<{limits[0]}.0>")
    text = body.replace("dense<127.0>", f"dense<{limits[1]}.0>").replace("T", f"tensor<{n}xf32>")
    module = interp.load(
        f"func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{ {text}\n return %f : tensor<{n}xf32> }}"
    )
    raised = raise_qdq(module)
    (rewrite,) = raised.rewrites
    x = (rng.uniform(*limits, n) * 0.1).astype(np.float32)
    (result,), (wanted,) = (interp.run(m, x) for m in (raised.module, module))
    steps = np.abs(result.storage.astype(float) - wanted.storage) / np.float32(0.1)
    assert rewrite.steps is not None
    assert steps.max() < rewrite.steps + 0.01
    assert (rewrite.steps == 1) == (storage != "i32")


def test_two_quantizations_differ_from_one_by_the_steps_that_are_said() -> None:
    """A bf16 number does not always come back from a product with 0.3 and a quotient: two steps, not one."""
    wide, narrow = (
        "tensor<65536x!quant.uniform<i32:bf16, 0.3>>",
        "tensor<65536x!quant.uniform<i8:bf16, 0.3:5>>",
    )
    module = interp.load(f"""func.func @main(%x: tensor<65536xbf16>) -> {narrow} {{
      %a = stablehlo.uniform_quantize %x : (tensor<65536xbf16>) -> {wide}
      %b = stablehlo.uniform_quantize %a : ({wide}) -> {narrow}
      return %b : {narrow}
    }}""")
    raised = raise_qdq(module)
    (rewrite,) = raised.rewrites
    bits = np.arange(65536, dtype=np.uint16)
    is_number = (bits & 0x7FFF) <= 0x7F80
    (result,), (wanted,) = (interp.run(m, bits) for m in (raised.module, module))
    steps = np.abs(result.storage.astype(int) - wanted.storage)[is_number].max()
    assert rewrite.steps is not None
    assert 1 < steps <= rewrite.steps


def test_an_infinite_zero_point_is_left() -> None:
    raised = raise_qdq(
        spelled(
            SPELLINGS["before"]
            .replace("%zero", "%infinite")
            .replace(
                "%a = stablehlo.divide",
                "%infinite = stablehlo.constant dense<0x7F800000> : T\n%a = stablehlo.divide",
            )
        )
    )
    assert "divide" in {left.operation for left in raised.left}


def test_casts_of_the_quant_dialect_and_pairs_are_read() -> None:
    type = "!quant.uniform<i8:f32, 0.5:1>"
    for quantize, dequantize in (("quant.qcast", "quant.dcast"), ("stablehlo.uniform_quantize", DEQUANTIZE)):
        text = f"""func.func @main(%x: {T}) -> {T} {{
          %q = "{quantize}"(%x) : ({T}) -> tensor<4x{type}>
          %d = "{dequantize}"(%q) : (tensor<4x{type}>) -> {T}
          %n = stablehlo.negate %d : {T}
          %r = "{quantize}"(%n) : ({T}) -> tensor<4x{type}>
          %s = "{dequantize}"(%r) : (tensor<4x{type}>) -> {T}
          return %s : {T} }}"""
        raised = raise_qdq(interp.load(text))
        names = [op.name.partition(".")[2] for op in raised.module.main.body.ops]
        assert names == ["uniform_quantize", "negate", "uniform_dequantize", "return"]
        assert "%s generic.negate: merges negate; differs by at most 0 steps" in repr(raised)


@pytest.mark.parametrize("narrow", [False, True])
def test_a_composite_means_what_its_decomposition_computes(narrow: bool) -> None:
    """Qwix names a narrow range, and its decomposition does not clamp to it."""
    clamp = "%c = stablehlo.clamp %lows, %b, %highs : T"
    text = f"""module {{
    func.func @main(%x: T) -> T {{
      %s = stablehlo.constant dense<0.5> : tensor<1xf32>
      %0 = stablehlo.composite "quant.fake_quant" %s, %x {{
        composite_attributes = {{dtype = "i8", narrow_range = true, scale = dense<0.5> : tensor<1xf32>}},
        decomposition = @fake }} : (tensor<1xf32>, T) -> T
      %1 = stablehlo.negate %0 : T
      return %1 : T }}
    func.func private @fake(%s: tensor<1xf32>, %x: T) -> T {{
      %scale = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<1xf32>) -> T
      %lows = stablehlo.constant dense<-127.0> : T
      %highs = stablehlo.constant dense<127.0> : T
      %a = stablehlo.divide %x, %scale : T
      %b = stablehlo.round_nearest_even %a : T
      {clamp if narrow else ""}
      %i = stablehlo.convert {"%c" if narrow else "%b"} : (T) -> tensor<4xi8>
      %d = stablehlo.convert %i : (tensor<4xi8>) -> T
      %y = stablehlo.multiply %d, %scale : T
      return %y : T }} }}"""
    module = interp.load(text.replace(" T", f" {T}").replace("(T", f"({T}"))
    raised = raise_qdq(module)
    (quantize,) = (op for op in raised.module.ops() if op.name == "stablehlo.uniform_quantize")
    assert quantize.result.type.element_type.storage_min == (-127 if narrow else -128)
    x = np.array([-70, 70, 0.26, -0.25], np.float32)
    assert interp.run(raised.module, x) == interp.run(module, x)


def test_the_command_prints_the_kernels_and_writes_the_program(tmp_path: Path, capsys: Any) -> None:
    file, output = EXPORTS / "torch_cnn_static_int8.mlirbc", tmp_path / "int8.mlirbc"
    assert main(["raise-qdq", str(file), "-o", str(output), "--flow", "codegen"]) == 0
    assert "5 kernels, 0 operations left in float" in capsys.readouterr().out
    module = interp.load(output)
    assert not any(v.type.is_quantized for op in module.ops() for v in op.results)
    assert main(["raise-qdq", str(file), "--flow", "assembler"]) == 2
    assert "is not a flow" in capsys.readouterr().err


def test_types_with_blocks_stay_casts() -> None:
    blocks = "!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>"
    type = "!quant.uniform<i8:f32, 0.5:1>"
    text = f"""func.func @main(%x: {T}) -> {T} {{
      %q = "quant.qcast"(%x) : ({T}) -> tensor<4x{blocks}>
      %d = "quant.dcast"(%q) : (tensor<4x{blocks}>) -> {T}
      %n = stablehlo.negate %d : {T}
      %r = "quant.qcast"(%n) : ({T}) -> tensor<4x{type}>
      %s = "quant.dcast"(%r) : (tensor<4x{type}>) -> {T}
      return %s : {T} }}"""
    module = interp.load(text)
    raised = raise_qdq(module)
    names = [op.name for op in raised.module.main.body.ops]
    assert names[:2] == ["quant.qcast", "quant.dcast"]
    assert {left.operation for left in raised.left} == {"negate"}
    x = np.array([1.3, -0.3, 60, -7], np.float32)
    assert interp.run(raised.module, x) == interp.run(module, x)


@pytest.mark.parametrize(("storage", "zero"), [("i8<-127:127>", 0), ("i8", 2)])
def test_weights_that_are_stored_as_integers_are_raised(storage: str, zero: int) -> None:
    """They are never quantized, only dequantized. NumPy's integers round the exact quotient once."""
    module = interp.load(f"""!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<{storage}:f32, 0.25:{zero}>
!y = !quant.uniform<i8:f32, 2.0:-1>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {{
  %xq = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!x>
  %xd = stablehlo.uniform_dequantize %xq : (tensor<2x3x!x>) -> tensor<2x3xf32>
  %wq = stablehlo.constant() {{value = dense<[[1, -7], [100, 5], [-127, 9]]> : tensor<3x2xi8>}}
    : () -> tensor<3x2x!w>
  %wd = stablehlo.uniform_dequantize %wq : (tensor<3x2x!w>) -> tensor<3x2xf32>
  %p = stablehlo.dot_general %xd, %wd, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %pq = stablehlo.uniform_quantize %p : (tensor<2x2xf32>) -> tensor<2x2x!y>
  %y = stablehlo.uniform_dequantize %pq : (tensor<2x2x!y>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}}""")
    raised = raise_qdq(module)
    assert raised.left == ()
    assert [rewrite.merged for rewrite in raised.rewrites] == [("dot_general",)]
    dot = next(op for op in raised.module.ops() if op.name == "stablehlo.dot_general")
    assert all(v.type.is_quantized for v in (*dot.operands, *dot.results))
    x = np.float32([[1.0, -4.5, 2.0], [0.25, 7.0, 30.0]])
    stored = np.clip(np.rint(x / 0.5 + 3), -128, 127).astype(int) - 3
    sums = stored @ (np.array([[1, -7], [100, 5], [-127, 9]]) - zero)
    expected = 2.0 * (np.clip(np.rint(sums * 0.125 / 2.0 - 1), -128, 127) + 1)
    for program in (module, raised.module):
        assert (interp.run(program, x)[0].storage == expected).all()
