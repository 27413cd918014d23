"""`verify` on whole programs, and a violating operation for each row of the ops that have no files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_constraints import RULED

from spec.attributes import Dense, Symbol
from spec.errors import UNKNOWN
from spec.ir import Func, Module, Op, Region, Value
from spec.rules import quant_dialect
from spec.rules.constraint import violations
from spec.rules.elementwise import ELEMENTWISE, PLAIN
from spec.rules.verify import CONSTRAINTS, verify
from spec.types import TensorType
from tests.library.builders import contracting, convolving, load, module, op, types
from tests.library.examples import operations_judged
from tests.library.strategies.programs import PROGRAMS, Program
from tests.test_parallel_constraints import IN_FILES

Q, QA = "!quant.uniform<i8:f32, 5.0e-1>", "!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>"
QB = "!quant.uniform<i8:f32:1, {5.0e-1, 2.5e-1}>"
WIDE, DOUBLE = "!quant.uniform<i16:f32, 5.0e-1>", "!quant.uniform<i8:f64, 5.0e-1>"
SHIFTED = "!quant.uniform<i8:f32, 5.0e-1:3>"
BLOCKS = "!quant.uniform<i8:f32:{0:1}, {{5.0e-1}, {2.5e-1}}>"


DOT = contracting(1)
F32 = types("f32")[0].element_type
ALGORITHM = {
    "lhs_precision_type": F32,
    "rhs_precision_type": F32,
    "accumulation_type": F32,
    "lhs_component_count": 1,
    "rhs_component_count": 1,
    "num_primitive_operations": 1,
    "allow_imprecise_accumulation": False,
}
CONVOLUTION = convolving("b0f 0io b0f")
COMPARE = {"comparison_direction": "GE"}
SLICE = {"start_indices": (0,), "limit_indices": (2,), "strides": (1,)}
PAD = {"edge_padding_low": (1,), "edge_padding_high": (1,), "interior_padding": (0,)}
REDUCED = {"exponent_bits": 5, "mantissa_bits": 3}
ONES = Dense(TensorType((2,), types("f32")[0].element_type), bytes(8))
QUANTIZE = {"call_target_name": "odml_torch.uniform_quantize"}
DEQUANTIZE = {"call_target_name": "odml_torch.uniform_dequantize"}
CONV = "1x4x2xf32; 2x2x3xf32 -> 1x3x3xf32"

# Operations without a violation; the violating ones below change one thing.
VALID = {
    "abs": ("2xcomplex<f32> -> 2xf32", {}),
    "add": (f"2x{QA}; 2x{Q} -> 2x{QA}", {}),
    "bitcast_convert": ("2xf32 -> 2x4xi8", {}),
    "broadcast_in_dim": (f"1x{Q} -> 2x{Q}", {"broadcast_dimensions": (0,)}),
    "clamp": ("f32; 2xf32; 2xf32 -> 2xf32", {}),
    "compare": (f"2x{Q}; 2x{SHIFTED} -> 2xi1", COMPARE),
    "complex": ("2xf32; 2xf32 -> 2xcomplex<f32>", {}),
    "concatenate": ("2xf32; 3xf32 -> 5xf32", {"dimension": 0}),
    "constant": ("-> 2xf32", {"value": ONES}),
    "convert": ("2xf32 -> 2xi8", {}),
    "convolution": (CONV, CONVOLUTION),
    "custom_call": (f"2xf32 -> 2x{Q}", QUANTIZE),
    "dot_general": (f"2x3x{Q}; 3x2x{QB} -> 2x2x{QB}", DOT),
    "imag": ("2xcomplex<f64> -> 2xf64", {}),
    "iota": ("-> 2xi8", {"iota_dimension": 0}),
    "is_finite": ("2xf32 -> 2xi1", {}),
    "pad": ("2xf32; f32 -> 4xf32", PAD),
    "real": ("2xf32 -> 2xf32", {}),
    "reduce_precision": ("2xf32 -> 2xf32", REDUCED),
    "reshape": (f"2x3x{QA} -> 2x3x1x{QA}", {}),
    "reverse": ("2xf32 -> 2xf32", {"dimensions": (0,)}),
    "select": (f"i1; 2x{Q}; 2x{SHIFTED} -> 2x{Q}", {}),
    "slice": ("2xf32 -> 2xf32", SLICE),
    "transpose": (f"2x3x{QA} -> 3x2x{QB}", {"permutation": (1, 0)}),
    "quant.qcast": (f"2xf32 -> 2x{BLOCKS}", {}),
    "quant.dcast": (f"2x{BLOCKS} -> 2xf32", {}),
    "quant.scast": (f"2xi8 -> 2x{Q}", {}),
    "arith.constant": ("-> 2xf32", {"value": ONES}),
}
# Code of the row: what is other than in VALID, the signature or some attributes.
INVALID: dict[str, str | dict[str, Any]] = {
    "abs_i1": "2xui8 -> 2xui8",
    "abs_c1": "2xf32 -> 3xf32",
    "abs_c2": "2xcomplex<f32> -> 2xcomplex<f32>",
    "add_i1": "2xf32; 3xf32 -> 2xf32",
    "add_c1": "2xf32; 2xf64 -> 2xf32",
    "add_c2": f"2x{Q}; 2xf32 -> 2x{Q}",
    "add_c3": f"2x{Q}; 2x{WIDE} -> 2x{Q}",
    "add_c4": f"2x{Q}; 2x{DOUBLE} -> 2x{Q}",
    "add_c5": f"2x{QA}; 2x{Q} -> 2x{Q}",
    "add_c6": f"2x2x{QA}; 2x2x{Q} -> 2x2x{QB}",
    "add_c7": f"2x2x{Q}; 2x2x{QA} -> 2x2x{QB}",
    "bitcast_convert_i1": f"2x1x{BLOCKS} -> 2x1xi8",
    "bitcast_convert_c1": "2xf32 -> 2x3xi8",
    "bitcast_convert_c2": "2xcomplex<f32> -> 2xf64",
    "broadcast_in_dim_i1": "1xf32; 1xf32 -> 2xf32",
    "broadcast_in_dim_i2": {"broadcast_dimensions": 0.5},
    "broadcast_in_dim_c1": "1xf32 -> 2xf64",
    "broadcast_in_dim_c2": {"broadcast_dimensions": ()},
    "broadcast_in_dim_c3": {"broadcast_dimensions": (1,)},
    "broadcast_in_dim_c4": {"broadcast_dimensions": (0, 0)},
    "broadcast_in_dim_c5": "3xf32 -> 2xf32",
    "broadcast_in_dim_c6": f"2x{QA} -> 2x2x{QB}",
    "clamp_i1": f"{Q}; 2x{QA}; 2x{Q} -> 2x{Q}",
    "clamp_c1": "3xf32; 2xf32; 2xf32 -> 2xf32",
    "clamp_c2": "f32; 2xf32; 3xf32 -> 2xf32",
    "clamp_c3": "f64; 2xf32; 2xf32 -> 2xf32",
    "clamp_c4": "f32; 2xf32; 2xf32 -> 2xf64",
    "compare_i1": "2xf32 -> 2xi1",
    "compare_i3": {"comparison_direction": "AROUND"},
    "compare_c1": "2xf32; 2xf64 -> 2xi1",
    "compare_c2": "2xf32; 2xf32 -> 2xi8",
    "compare_c3": {"compare_type": "SIGNED"},
    "complex_i1": "2xi8; 2xi8 -> 2xcomplex<f32>",
    "complex_c1": "2xf32; 2xf64 -> 2xcomplex<f32>",
    "complex_c2": "2xf32; 2xf32 -> 3xcomplex<f32>",
    "complex_c3": "2xf32; 2xf32 -> 2xcomplex<f64>",
    "concatenate_i1": f"2x{QA}; 2x{QA} -> 4x{QA}",
    "concatenate_i2": {"dimension": "0"},
    "concatenate_c1": "2xf32; 3xf64 -> 5xf32",
    "concatenate_c2": "2x1xf32; 3x2xf32 -> 5x1xf32",
    "concatenate_c3": "-> 5xf32",
    "concatenate_c4": {"dimension": 1},
    "concatenate_c5": "2xf32; 3xf32 -> 5xf64",
    "concatenate_c6": "2xf32; 3xf32 -> 6xf32",
    "constant_i1": {"value": 1.0},
    "constant_c1": "-> 3xf32",
    "convert_i1": f"2x{Q} -> 2xi8",
    "convert_c1": "2xf32 -> 3xi8",
    "convolution_i1": f"1x4x2xf32; 2x2x2x{BLOCKS} -> 1x3x2xf32",
    "convolution_o1": "1x4x2xf32; 2x2x3xf32 -> 1x3x3xi8",
    "convolution_i3": {"window_strides": 1},
    "convolution_i4": {"padding": 1},
    "convolution_i8": {"feature_group_count": (1,)},
    "convolution_c1": "1x4x2xf32; 2x3xf32 -> 1x3x3xf32",
    "convolution_c2": {"window_strides": (1, 1)},
    "convolution_c3": {"window_strides": (0,)},
    "convolution_c4": {"padding": ((0, 0), (0, 0))},
    "convolution_c5": {"lhs_dilation": (1, 1)},
    "convolution_c6": {"lhs_dilation": (0,)},
    "convolution_c7": {"rhs_dilation": (1, 1)},
    "convolution_c8": {"rhs_dilation": (0,)},
    "convolution_c9": {"window_reversal": ()},
    "convolution_c10": {"batch_group_count": 3},
    "convolution_c11": {"feature_group_count": 3},
    "convolution_c12": {"input_spatial_dimensions": (1, 2)},
    "convolution_c13": {"input_feature_dimension": 0},
    "convolution_c14": "1x4x2xf32; 2x1x3xf32 -> 1x3x3xf32",
    "convolution_c15": {"batch_group_count": 2},
    "convolution_c16": {"feature_group_count": 2},
    "convolution_c17": {"kernel_spatial_dimensions": ()},
    "convolution_c18": {"kernel_input_feature_dimension": 3},
    "convolution_c19": {"output_spatial_dimensions": ()},
    "convolution_c20": {"output_batch_dimension": 1},
    "convolution_c21": {"feature_group_count": 0},
    "convolution_c22": {"batch_group_count": 0},
    "convolution_c23": {"feature_group_count": 2, "batch_group_count": 2},
    "convolution_c24": {"precision_config": ("HIGH",) * 3},
    "convolution_c25": "1x4x2xf32; 2x2x3xf32 -> 1x4x3xf32",
    "convolution_c26": "1x4x2xf32; 2x2x3xf32 -> 3x3xf32",
    "convolution_c27": "1x4x2xf32; 2x2x3xf32 -> 1x3x3xf64",
    "convolution_c28": f"1x4x2x{Q}; 2x2x3x{Q} -> 1x3x3xf32",
    "convolution_c29": f"1x4x2x{Q}; 2x2x3x{QB} -> 1x3x3x{Q}",
    "convolution_c30": f"1x4x2x{Q}; 2x2x3x{Q} -> 2x3x3x{QA}",
    "convolution_c31": f"1x4x2x{Q}; 2x2x3x{WIDE} -> 1x3x3x{Q}",
    "convolution_c32": f"1x4x2x{Q}; 2x2x3x{Q} -> 1x3x3x{DOUBLE}",
    "convolution_c33": f"1x4x2x{Q}; 2x2x3x{Q} -> 2x3x3x{QA}",
    "convolution_c34": f"1x4x2xf64; 2x2x3x{Q} -> 1x3x3xf64",
    "custom_call_i2": {"call_target_name": 3},
    "custom_call_c1": f"2xf64 -> 2x{Q}",
    "custom_call_c2": DEQUANTIZE,
    "custom_call_c3": {"call_target_name": "check.expect_eq"},
    "dot_general_i1": f"2x3x{QA}; 3x2x{Q} -> 2x2x{Q}",
    "dot_general_o1": "2x3xf32; 3x2xf32 -> 2x2xi8",
    "dot_general_i3": {"lhs_contracting_dimensions": 1},
    "dot_general_i8": ALGORITHM | {"lhs_precision_type": types("i8")[0].element_type},
    "dot_general_i9": ALGORITHM | {"rhs_precision_type": "tf32"},
    "dot_general_i10": ALGORITHM | {"accumulation_type": types("i32")[0].element_type},
    "dot_general_i11": ALGORITHM | {"lhs_component_count": True},
    "dot_general_i12": ALGORITHM | {"rhs_component_count": 1.0},
    "dot_general_i13": ALGORITHM | {"num_primitive_operations": "1"},
    "dot_general_i14": ALGORITHM | {"allow_imprecise_accumulation": 0},
    "dot_general_c1": {"lhs_batching_dimensions": (0,)},
    "dot_general_c2": {"lhs_contracting_dimensions": ()},
    "dot_general_c3": {"lhs_contracting_dimensions": (1, 1)},
    "dot_general_c4": {"rhs_contracting_dimensions": (0, 0)},
    "dot_general_c5": {"lhs_batching_dimensions": (2,)},
    "dot_general_c6": {"lhs_contracting_dimensions": (2,)},
    "dot_general_c7": {"rhs_batching_dimensions": (-1,)},
    "dot_general_c8": {"rhs_contracting_dimensions": (2,)},
    "dot_general_c9": {"lhs_batching_dimensions": (0,), "rhs_batching_dimensions": (0,)},
    "dot_general_c10": {"lhs_contracting_dimensions": (0,)},
    "dot_general_c11": {"precision_config": ("DEFAULT",)},
    "dot_general_c12": "2x3xf32; 3x2xf32 -> 2x3xf32",
    "dot_general_c13": "2x3xf32; 3x2xf64 -> 2x2xf64",
    "dot_general_c14": f"2x3x{Q}; 3x2x{Q} -> 2x2xf32",
    "dot_general_c15": f"2x3x{Q}; 3x2x{SHIFTED} -> 2x2x{Q}",
    "dot_general_c16": f"2x2x{Q}; 2x2x{QA} -> 2x2x{Q}",
    "dot_general_c17": f"2x3x{Q}; 3x2x{WIDE} -> 2x2x{Q}",
    "dot_general_c18": f"2x3x{Q}; 3x2x{Q} -> 2x2x{DOUBLE}",
    "dot_general_c19": f"2x3x{Q}; 3x2x{Q} -> 2x2x{QA}",
    "dot_general_c20": f"2x3xf64; 3x2x{Q} -> 2x2xf64",
    "dot_general_c21": ALGORITHM | {"precision_config": ("DEFAULT", "HIGHEST")},
    "dot_general_c22": ALGORITHM | {"lhs_component_count": 0},
    "dot_general_c23": ALGORITHM | {"rhs_component_count": -1},
    "dot_general_c24": ALGORITHM | {"num_primitive_operations": 0},
    "imag_i1": "2xi8 -> 2xi8",
    "imag_c1": "2xf32 -> 3xf32",
    "imag_c2": "2xcomplex<f64> -> 2xf32",
    "iota_i1": "-> 2xi1",
    "iota_c1": {"iota_dimension": 1},
    "is_finite_i1": "2xi8 -> 2xi1",
    "is_finite_c1": "2xf32 -> 2xi8",
    "pad_i1": f"2x{QA}; {Q} -> 4x{Q}",
    "pad_i2": "2xf32; 1xf32 -> 4xf32",
    "pad_i3": {"edge_padding_low": 1},
    "pad_i4": {"edge_padding_high": 1},
    "pad_i5": {"interior_padding": 0.0},
    "pad_c1": "2xf32; f64 -> 4xf32",
    "pad_c2": {"edge_padding_low": (1, 1)},
    "pad_c3": {"interior_padding": (-1,)},
    "pad_c4": "2xf32; f32 -> 5xf32",
    "real_i1": "2xi8 -> 2xi8",
    "real_c1": "2xf32 -> 3xf32",
    "real_c2": "2xf32 -> 2xf64",
    "reduce_precision_i1": "2xi8 -> 2xi8",
    "reduce_precision_c1": "2xf32 -> 2xf64",
    "reduce_precision_c2": {"exponent_bits": 0},
    "reduce_precision_c3": {"mantissa_bits": -1},
    "reshape_i1": "2xf32; 2xf32 -> 2xf32",
    "reshape_c1": "2xf32 -> 2xf64",
    "reshape_c2": "2xf32 -> 3xf32",
    "reshape_c3": f"2x3x{QA} -> 3x2x{QB}",
    "reverse_i1": f"2x{QA} -> 2x{QA}",
    "reverse_i2": {"dimensions": 0},
    "reverse_c1": "2xf32 -> 3xf32",
    "reverse_c2": {"dimensions": (0, 0)},
    "reverse_c3": {"dimensions": (1,)},
    "select_i1": "2xf32; 2xf32 -> 2xf32",
    "select_i2": "i8; 2xf32; 2xf32 -> 2xf32",
    "select_c1": "3xi1; 2xf32; 2xf32 -> 2xf32",
    "select_c2": "i1; 2xf32; 2xf64 -> 2xf32",
    "slice_i1": f"2x{QA} -> 2x{QA}",
    "slice_i2": {"start_indices": 0},
    "slice_i3": {"limit_indices": (2.0,)},
    "slice_i4": {"strides": None},
    "slice_c1": "2xf32 -> 2xf64",
    "slice_c2": {"start_indices": (0, 0)},
    "slice_c3": {"limit_indices": (3,)},
    "slice_c4": {"strides": (0,)},
    "slice_c5": "2xf32 -> 1xf32",
    "transpose_i1": "2x3xf32; 2xf32 -> 3x2xf32",
    "transpose_i2": {"permutation": ("1", "0")},
    "transpose_c1": "2x3xf32 -> 3x2xf64",
    "transpose_c2": {"permutation": (1, 1)},
    "transpose_c3": "2x3xf32 -> 2x3xf32",
    "transpose_c4": f"2x2x{QA} -> 2x2x{QA}",
    "qcast_i1": f"2xi8 -> 2x{Q}",
    "qcast_c1": f"2xf32 -> 3x{Q}",
    "qcast_c2": f"2xf64 -> 2x{Q}",
    "dcast_i1": "2xf32 -> 2xf32",
    "dcast_c1": f"2x{Q} -> 3xf32",
    "dcast_c2": f"2x{Q} -> 2xf64",
    "scast_i1": f"2xf32 -> 2x{Q}",
    "scast_c1": f"2xi8 -> 3x{Q}",
    "scast_c2": f"2xi16 -> 2x{Q}",
}


VALID |= operations_judged.VALID
INVALID |= operations_judged.INVALID


def codes(op: Op, mode: str = "strict") -> list[str]:
    name = op.name.rpartition(".")[2]
    found = violations(CONSTRAINTS[op.name], op, name, op.location, mode, "stablehlo")
    return [violation.code for violation in found]


def valid(name: str) -> Op:
    return made(name, *VALID[name])


def made(name: str, signature: str, attributes: dict[str, Any]) -> Op:
    rest = {key: value for key, value in attributes.items() if key != "regions"}
    return replace(op(name, signature, **rest), regions=attributes.get("regions", ()))


@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize("mode", ["strict", "mlir"])
def test_valid_operations(name: str, mode: str) -> None:
    assert codes(valid(name), mode) == []


def changed(code: str) -> Op:
    """The valid op of that name with the one thing changed."""
    name = code.rpartition("_")[0]
    name = f"quant.{name}" if f"quant.{name}" in VALID else name
    signature, attributes = VALID[name]
    change = INVALID[code]
    if isinstance(change, str):
        return made(name, change, attributes)
    return made(name, signature, attributes | change)


@pytest.mark.parametrize("code", INVALID)
def test_one_change_violates_the_row(code: str) -> None:
    assert code in codes(changed(code))


def test_every_row_has_an_operation_that_violates_it() -> None:
    plain = {f"stablehlo.{name}" for name in (*ELEMENTWISE, *PLAIN, *RULED)} | IN_FILES
    plain |= quant_dialect.SIMULATION_CONSTRAINTS.keys() | quant_dialect.FAKE_QUANT_CONSTRAINTS.keys()
    wanted = {
        f"{name.rpartition('.')[2]}_{row.label}"
        for name in CONSTRAINTS.keys() - plain
        for row in CONSTRAINTS[name]
    }
    assert wanted == INVALID.keys()


@pytest.mark.parametrize("name", [*ELEMENTWISE, *PLAIN])
def test_elementwise_operations(name: str) -> None:
    count, kinds = {**ELEMENTWISE, **PLAIN}[name]
    type = "2xf32" if "float" in kinds else "2xi8"
    operands = "; ".join([type] * count)
    assert codes(op(name, f"{operands} -> {type}")) == []
    assert codes(op(name, f"{operands} -> 3x{type[2:]}")) == [f"{name}_c1"]
    assert f"{name}_i1" in codes(op(name, f"{type}; {operands} -> {type}"))
    assert f"{name}_i1" in codes(op(name, operands.replace(type, f"2x{QA}") + f" -> 2x{QA}"))


# Whole programs.

F32 = types("f32")[0]
X, Y = Value("%x", F32), Value("%y", F32)
NEGATE = Op("stablehlo.negate", (X,), (Y,))


def returns(*values: Value, name: str = "func.return") -> Op:
    return Op(name, values, ())


def func(*ops: Op, results: tuple[TensorType, ...] = (F32,), name: str = "main") -> Func:
    return Func(name, Region((X,), ops), results)


def found(*functions: Func, mode: str = "strict") -> list[str]:
    return [v.code for v in verify(Module({f.name: f for f in functions}), mode)]


def call(callee: str, operand: Value = X, result: Value = Y) -> Op:
    return Op("func.call", (operand,), (result,), {"callee": Symbol(callee)})


IDENTITY = func(returns(X), name="f")
WIDE_Y = Value("%y", types("f64")[0])


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        ([func(NEGATE, returns(Y))], []),
        ([func(returns(Y))], ["value_c1"]),
        ([func(returns(Value("%x", types("f64")[0])))], ["value_c1", "func_c1"]),
        ([func(NEGATE, returns(Y), returns(Y))], ["region_c1"]),
        ([func(NEGATE)], ["region_c1"]),
        ([func(returns(X), results=types("f64"))], ["func_c1"]),
        ([func(call("f"), returns(Y)), IDENTITY], []),
        ([func(call("g"), returns(Y)), IDENTITY], ["call_c1"]),
        ([func(call("f", result=WIDE_Y), returns(X)), IDENTITY], ["call_c2"]),
        ([func(call("main"), returns(Y))], ["call_c3"]),
        ([func(call("f"), returns(Y)), func(call("main"), returns(Y), name="f")], ["call_c3", "call_c3"]),
        ([func(call("f"), returns(Y)), Func("f", Region((X,), ()), (F32,))], ["call_c1"]),
    ],
)
def test_functions(functions: list[Func], expected: list[str]) -> None:
    functions = [replace(f, results=tuple(f.results)) for f in functions]
    assert found(*functions) == expected


TWO = """
!q = !quant.uniform<i8:f32, 5.0e-1>
!other = !quant.uniform<i8:f32, 2.5e-1>
func.func @main(%x: tensor<2x!q>, %init: tensor<!other>, %bad: tensor<!quant.uniform<i8:f32, 1.0:300>>)
    -> (tensor<!q>, tensor<!q>) {
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %inner = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%c: tensor<!q>, %d: tensor<!q>):
      %sum = stablehlo.add %c, %a : tensor<!q>
      stablehlo.return %sum : tensor<!q>
    }) {dimensions = array<i64: 0>} : (tensor<2x!q>, tensor<!other>) -> tensor<!q>
    stablehlo.return %inner : tensor<!q>
  }) {dimensions = array<i64: 0>} : (tensor<2x!q>, tensor<!other>) -> tensor<!q>
  %1 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    stablehlo.return %a : tensor<!q>
  }) {dimensions = array<i64: 0>} : (tensor<2x!q>, tensor<!other>) -> tensor<!other>
  return %0, %0 : tensor<!q>, tensor<!q>
}"""


def test_all_violations_of_all_operations_in_program_order() -> None:
    module = load(TWO)
    found = [(violation.code, violation.where.line) for violation in verify(module)]
    assert found == [
        ("quantized_type_c7", 4),
        ("reduce_c2", 6),
        ("reduce_c2", 8),
        ("reduce_c2", 15),
        ("reduce_c8", 15),
    ]
    assert [violation.code for violation in verify(module, "mlir")] == ["quantized_type_c7"]


def damage(draw: st.DrawFn, op: Op) -> Op:
    """An operation with something taken away or put in another's place."""
    part = draw(st.sampled_from(["operands", "results", "attributes", "regions", "value"]))
    if part == "attributes":
        kept = draw(st.sets(st.sampled_from(sorted(op.attributes)))) if op.attributes else set()
        return replace(op, attributes={name: op[name] for name in kept})
    if part == "value":
        value = draw(st.sampled_from([None, "x", 7, (), (0, 0), ((1,),), (2**70,), 0.5, (-1, "a")]))
        return replace(op, attributes=dict.fromkeys(op.attributes, value))
    values = list(getattr(op, part))
    count = draw(st.integers(0, 4))
    return replace(op, **{part: tuple((values * 4)[:count])})


@st.composite
def damaged(draw: st.DrawFn) -> Module:
    program: Program = draw(PROGRAMS)
    return module(damage(draw, program.module.main.body.ops[0]))


@settings(max_examples=75, deadline=None)
@given(damaged(), st.sampled_from(["strict", "mlir"]), st.sampled_from(["stablehlo", "rfc"]))
def test_damaged_operations_are_judged_without_an_exception(program: Module, mode: str, dialect: str) -> None:
    for violation in verify(replace(program, dialect=dialect), mode):
        assert violation.code
        assert violation.where == UNKNOWN


@settings(max_examples=120)
@given(PROGRAMS, st.sampled_from(["strict", "mlir"]), st.sampled_from(["stablehlo", "rfc"]))
def test_random_programs_satisfy_every_row(program: Program, mode: str, dialect: str) -> None:
    assert verify(replace(program.module, dialect=dialect), mode) == []
