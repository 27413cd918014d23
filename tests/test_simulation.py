"""The operations that the quant dialect had once: read, printed, judged, run and compiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.execute.lower import artifact
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.quant_kinds import AnyQuantizedType
from spec.rules import quant_dialect
from spec.rules.verify import label, verify
from spec.types import make_quantized

FOLDER = Path(__file__).parent.parent / "testdata/simulation"
CODES = [
    f"{label(name)}_{row.label}"
    for name, rows in quant_dialect.SIMULATION_CONSTRAINTS.items()
    for row in rows
]
PROGRAM = """module {
  func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
    %0 = "quant.stats_ref"(%x) {statsKey = "x"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = "quant.region"(%0, %w) ({
    ^bb0(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>):
      %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      "quant.return"(%2) : (tensor<2x2xf32>) -> ()
    }) {input_specs = [!quant.uniform<i8:f32, 0.1:3>, !quant.uniform<i8:f32:1, {0.2,0.05}>], output_specs = [!quant.any<i8:f32>], logical_kernel = "generic.dot_general"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %3 = "quant.coupled_ref"(%1) {coupledKey = "k"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %3 : tensor<2x2xf32>
  }
}
"""  # noqa: E501
X = np.linspace(-1.03, 1, 6, dtype=np.float32).reshape(2, 3)
W = np.linspace(-2, 1.3, 6, dtype=np.float32).reshape(3, 2)


@pytest.mark.parametrize("code", CODES)
def test_the_file_of_its_name_violates_the_row_first(code: str) -> None:
    path = FOLDER / f"{code}.mlir"
    assert f"// expect: violation {code} (strict)" in path.read_text()
    assert [violation.code for violation in verify(interp.load(path))][:1] == [code]


def test_every_violating_file_is_of_a_row() -> None:
    files = {path.stem for path in FOLDER.glob("*.mlir") if "expect: violation" in path.read_text()}
    assert files == set(CODES)


def test_it_prints_as_it_was_read_and_reads_as_it_prints() -> None:
    module = interp.load(PROGRAM)
    assert interp.verify(module) == []
    assert interp.load(repr(module)) == module
    assert interp.load(repr(module), checked=False) == module
    region = module.main.body.ops[1]
    assert region["input_specs"][0] == make_quantized("i8", "f32", 0.1, 3)
    assert isinstance(region["output_specs"][0], AnyQuantizedType)
    assert region.location.line == 4
    assert [value.name for value in region.regions[0].arguments] == ["%a", "%b"]


def test_oracle_engine_compiled_and_lowered_agree() -> None:
    module = interp.load(PROGRAM)
    operands = [
        Tensor(v.type, tuple(x.ravel().tolist())) for v, x in zip(module.main.inputs, (X, W), strict=True)
    ]
    (oracle,) = evaluate(module, operands)
    expected = np.array(oracle.elements, np.float32).reshape(2, 2)
    (eager,) = interp.run(module, X, W)
    (compiled,) = interp.compile(module)(X, W)
    (lowered,) = interp.run(interp.lower(module), X, W)
    for found in (eager, compiled, lowered):
        np.testing.assert_array_equal(np.asarray(found), expected)
    assert not np.array_equal(expected, X @ W)


def test_its_float_reference_is_the_body() -> None:
    report = interp.compare(interp.load(PROGRAM), X, W)
    simulated = np.asarray(interp.run(interp.load(PROGRAM), X, W)[0])
    assert report.results[0].largest_error == pytest.approx(np.abs(simulated - X @ W).max(), rel=1e-5)


def test_bytecode_cannot_hold_them() -> None:
    with pytest.raises(interp.Unsupported, match=r"quant.stats_ref cannot be serialized\n.* save text"):
        artifact(interp.load(PROGRAM))


def test_sizes_cannot_be_inferred_through_them() -> None:
    type = "tensor<?xf32>"
    module = interp.load(
        f"func.func @main(%x: {type}) -> {type} {{\n"
        f'  %0 = "quant.stats_ref"(%x) {{statsKey = "x"}} : ({type}) -> {type}\n'
        f"  return %0 : {type}\n}}"
    )
    assert interp.load(repr(module)) == module
    with pytest.raises(interp.Unsupported, match=r"quant.stats_ref in a program of unknown sizes"):
        interp.run(module, np.float32([1, 2]))


def test_other_unknown_operations_are_refused_beside_them() -> None:
    text = PROGRAM.replace('"quant.coupled_ref"(%1) {coupledKey = "k"}', '"other.op"(%1)')
    with pytest.raises(interp.Malformed, match=r"unregistered operation 'other\.op'"):
        interp.load(text)
    with pytest.raises(interp.Malformed, match="return"):  # jaxlib still checks what it knows
        interp.load(PROGRAM.replace("return %3", "return %0"))


def test_a_name_in_a_string_or_a_comment_stays() -> None:
    text = PROGRAM.replace('statsKey = "x"', 'statsKey = "quant.stats"').replace(
        "module {", 'module { // "quant.stats"('
    )
    assert interp.load(text).main.body.ops[0]["statsKey"] == "quant.stats"
