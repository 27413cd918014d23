"""Each constraint of ONNX's quantization operators is violated by a node, which violates no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from spec.errors import Location
from spec.onnx.node import LINEAR, SIGNATURES, Node
from spec.rules.onnx.rows import snake
from spec.rules.onnx.verify import CONSTRAINTS, verify
from spec.types import TensorType, parse_type

LINEAR_INPUTS = {
    "QuantizeLinear": {"x": "4x6xf32", "y_scale": "f32", "y_zero_point": "i8"},
    "DequantizeLinear": {"x": "4x6xi8", "x_scale": "f32", "x_zero_point": "i8"},
}
WINDOW = {"x": "1x4x5x5xui8", "w": "6x2x3x3xi8"}
LEGAL: dict[str, tuple[int, dict[str, str], dict[str, Any]]] = {
    "QuantizeLinear": (28, LINEAR_INPUTS["QuantizeLinear"], {}),
    "DequantizeLinear": (28, LINEAR_INPUTS["DequantizeLinear"], {}),
    "DynamicQuantizeLinear": (11, {"x": "4xf32"}, {}),
    "MatMulInteger": (
        10,
        {"A": "2x3xui8", "B": "3x4xi8", "a_zero_point": "2xui8", "b_zero_point": "4xi8"},
        {},
    ),
    "ConvInteger": (10, {**WINDOW, "x_zero_point": "ui8", "w_zero_point": "6xi8"}, {"group": 2}),
    "QLinearMatMul": (
        21,
        {
            "a": "2x3xui8",
            "a_scale": "2xf32",
            "a_zero_point": "2xui8",
            "b": "3x4xi8",
            "b_scale": "4xf32",
            "b_zero_point": "4xi8",
            "y_scale": "f32",
            "y_zero_point": "ui8",
        },
        {},
    ),
    "QLinearConv": (
        10,
        {
            "x": WINDOW["x"],
            "x_scale": "f32",
            "x_zero_point": "ui8",
            "w": WINDOW["w"],
            "w_scale": "6xf32",
            "w_zero_point": "6xi8",
            "y_scale": "f32",
            "y_zero_point": "ui8",
            "B": "6xi32",
        },
        {"group": 2},
    ),
}


def of(operator: str, **changes: Any) -> Node:
    """Return the legal node with other types, attributes (`set_axis=3`), version or known elements."""
    version, inputs, attributes = LEGAL[operator]
    known = changes.pop("known", {})
    version = changes.pop("version", version)
    attributes = attributes | {k.removeprefix("set_"): v for k, v in changes.items() if k.startswith("set_")}
    types = {**inputs, **{k: v for k, v in changes.items() if not k.startswith("set_")}}
    given = {name: type_of(text) for name, text in types.items() if text}
    return Node(operator, version, given, attributes, known, Location("m.onnx"))


def type_of(text: str) -> TensorType:
    return parse_type(f"tensor<{text}>")


Q, D = (
    (lambda **changes: of("QuantizeLinear", **changes)),
    (lambda **changes: of("DequantizeLinear", **changes)),
)
BLOCKS = {"y_scale": "4x2xf32", "y_zero_point": "4x2xi8"}
DBLOCKS = {"x_scale": "4x2xf32", "x_zero_point": "4x2xi8"}
M, C = (lambda **changes: of("MatMulInteger", **changes)), (lambda **changes: of("ConvInteger", **changes))
P, V = (lambda **changes: of("QLinearMatMul", **changes)), (lambda **changes: of("QLinearConv", **changes))
F8 = {"y_zero_point": "f8E5M2"}

# Nodes that violate one constraint each, by its code.
VIOLATING: Mapping[str, list[Node]] = {
    "onnx_quantize_linear_i0": [Q(y_scale="")],
    "onnx_quantize_linear_i1": [Q(x="4x6xf64"), Q(x="4x6xf16", version=13)],
    "onnx_quantize_linear_i2": [
        Q(y_scale="f16", version=21),
        Q(y_scale="f8E8M0FNU", version=23),
        Q(y_scale="f64"),
    ],
    "onnx_quantize_linear_i3": [
        Q(y_zero_point="i32"),
        Q(y_zero_point="i16", version=19),
        Q(y_zero_point="i2", version=24),
        Q(y_zero_point="f6E2M3FN", version=25),
        Q(y_zero_point="f4E2M1FN", version=21),
        Q(y_zero_point="f8E4M3FN", version=13),
    ],
    "onnx_quantize_linear_i4": [Q(set_axis=0, version=10), Q(set_precision=1, version=21), Q(set_axis="1")],
    "onnx_quantize_linear_c1": [Q(y_scale="6xf32"), Q(**{**BLOCKS, "y_zero_point": "i8"}, set_block_size=3)],
    "onnx_quantize_linear_c2": [
        Q(y_scale="6xf32", y_zero_point="6xi8", version=10),
        Q(**BLOCKS),
        Q(y_scale="6xf32", y_zero_point="6xi8", set_block_size=3, version=21),
    ],
    "onnx_quantize_linear_c3": [
        Q(y_scale="6xf32", y_zero_point="6xi8", set_axis=2),
        Q(**BLOCKS, set_axis=-3, set_block_size=3),
        Q(x="6xf32", y_scale="6xf32", y_zero_point="6xi8"),
    ],
    "onnx_quantize_linear_c4": [Q(y_scale="4xf32", y_zero_point="4xi8")],
    "onnx_quantize_linear_c5": [
        Q(**BLOCKS, set_block_size=2),
        Q(**BLOCKS, set_block_size=6),
        Q(y_scale="3x2xf32", y_zero_point="3x2xi8", set_block_size=3),
    ],
    "onnx_quantize_linear_c6": [Q(**BLOCKS, set_block_size=-3)],
    "onnx_quantize_linear_c7": [Q(**F8, known={"y_zero_point": (1.0,)})],
    "onnx_quantize_linear_c8": [
        Q(y_zero_point="", set_output_dtype=6),
        Q(y_zero_point="", set_output_dtype=99),
    ],
    "onnx_quantize_linear_c9": [Q(set_output_dtype=2)],
    "onnx_quantize_linear_c10": [Q(set_saturate=2)],
    "onnx_quantize_linear_c11": [Q(set_precision=3)],
    "onnx_dequantize_linear_i0": [D(x="")],
    "onnx_dequantize_linear_i1": [
        D(x="4x6xui16", x_zero_point="ui16", version=19),
        D(x="4x6xi64", x_zero_point=""),
    ],
    "onnx_dequantize_linear_i2": [D(x_scale="bf16", version=13), D(x_scale="i32", set_output_dtype=1)],
    "onnx_dequantize_linear_i3": [D(x_zero_point="ui8")],
    "onnx_dequantize_linear_i4": [D(set_output_dtype=10, version=21), D(set_saturate=1)],
    "onnx_dequantize_linear_c1": [D(x_scale="6xf32")],
    "onnx_dequantize_linear_c2": [D(x_scale="6xf32", x_zero_point="6xi8", version=10), D(**DBLOCKS)],
    "onnx_dequantize_linear_c3": [D(x_scale="6xf32", x_zero_point="6xi8", set_axis=-3)],
    "onnx_dequantize_linear_c4": [D(x_scale="4xf32", x_zero_point="4xi8")],
    "onnx_dequantize_linear_c5": [D(**DBLOCKS, set_block_size=2)],
    "onnx_dequantize_linear_c6": [D(**DBLOCKS, set_block_size=-3)],
    "onnx_dequantize_linear_c7": [D(x="4x6xf8E5M2", x_zero_point="f8E5M2", known={"x_zero_point": (1.0,)})],
    "onnx_dequantize_linear_c8": [D(x_scale="f8E8M0FNU"), D(set_output_dtype=11)],
    "onnx_dequantize_linear_c9": [D(x="4x6xi32", x_zero_point="i32", known={"x_zero_point": (1,)})],
    "onnx_dynamic_quantize_linear_i0": [of("DynamicQuantizeLinear", x="")],
    "onnx_dynamic_quantize_linear_i1": [of("DynamicQuantizeLinear", x="4xf16")],
    "onnx_matmul_integer_i0": [M(B="")],
    "onnx_matmul_integer_i1": [M(A="2x3xi32", a_zero_point="")],
    "onnx_matmul_integer_i2": [M(B="3x4xi16", b_zero_point="")],
    "onnx_matmul_integer_i3": [M(a_zero_point="2xi8")],
    "onnx_matmul_integer_i4": [M(b_zero_point="4xui8")],
    "onnx_matmul_integer_c1": [M(A="2x4xui8"), M(A="3x2x3xui8", B="2x3x4xi8", a_zero_point="")],
    "onnx_matmul_integer_c2": [M(a_zero_point="3xui8")],
    "onnx_matmul_integer_c3": [M(b_zero_point="3xi8")],
    "onnx_conv_integer_i0": [C(w="")],
    "onnx_conv_integer_i1": [C(x="1x4x5x5xi32", x_zero_point="")],
    "onnx_conv_integer_i2": [C(w="6x2x3x3xf32", w_zero_point="")],
    "onnx_conv_integer_i3": [C(x_zero_point="i8")],
    "onnx_conv_integer_i4": [C(w_zero_point="6xui8")],
    "onnx_conv_integer_c1": [C(x="1x4xui8", w="6x2xi8")],
    "onnx_conv_integer_c2": [C(set_group=3), C(set_group=1)],
    "onnx_conv_integer_c3": [C(set_strides=(1,)), C(set_pads=(1, 1, 1, -1)), C(set_dilations=(0, 1))],
    "onnx_conv_integer_c4": [C(set_kernel_shape=(3, 2))],
    "onnx_conv_integer_c5": [C(set_auto_pad="SAME"), C(set_auto_pad="VALID", set_pads=(1, 1, 1, 1))],
    "onnx_conv_integer_c6": [C(set_dilations=(3, 1))],
    "onnx_conv_integer_c7": [C(x_zero_point="4xui8")],
    "onnx_conv_integer_c8": [C(w_zero_point="2xi8")],
    "onnx_qlinear_matmul_i0": [P(y_zero_point="")],
    "onnx_qlinear_matmul_i1": [P(a="2x3xi16", a_zero_point="2xi16")],
    "onnx_qlinear_matmul_i2": [P(a_scale="2xf64", b_scale="4xf64", y_scale="f64")],
    "onnx_qlinear_matmul_i3": [P(a_zero_point="2xi8")],
    "onnx_qlinear_matmul_i4": [P(b="3x4xf8E5M2", b_zero_point="4xf8E5M2", version=10)],
    "onnx_qlinear_matmul_i5": [P(b_scale="4xf16")],
    "onnx_qlinear_matmul_i6": [P(b_zero_point="4xui8")],
    "onnx_qlinear_matmul_i7": [P(y_scale="f16")],
    "onnx_qlinear_matmul_i8": [P(y_zero_point="i16")],
    "onnx_qlinear_matmul_c1": [P(a="2x4xui8")],
    "onnx_qlinear_matmul_c2": [P(a_zero_point="ui8")],
    "onnx_qlinear_matmul_c3": [P(a_scale="3xf32", a_zero_point="3xui8")],
    "onnx_qlinear_matmul_c4": [P(b_scale="3xf32", b_zero_point="3xi8")],
    "onnx_qlinear_matmul_c5": [P(y_scale="2xf32", y_zero_point="2xui8")],
    "onnx_qlinear_matmul_c6": [
        P(b="3x4xf8E5M2", b_zero_point="4xf8E5M2", known={"b_zero_point": (0.0, 1.0, 0.0, 0.0)})
    ],
    "onnx_qlinear_conv_i0": [V(x_scale="")],
    "onnx_qlinear_conv_i1": [V(x="1x4x5x5xi16", x_zero_point="i16")],
    "onnx_qlinear_conv_i2": [V(x_scale="f16")],
    "onnx_qlinear_conv_i3": [V(x_zero_point="i8")],
    "onnx_qlinear_conv_i4": [V(w="6x2x3x3xi4", w_zero_point="6xi4")],
    "onnx_qlinear_conv_i5": [V(w_scale="6xbf16")],
    "onnx_qlinear_conv_i6": [V(w_zero_point="6xui8")],
    "onnx_qlinear_conv_i7": [V(y_scale="f16")],
    "onnx_qlinear_conv_i8": [V(y_zero_point="i32")],
    "onnx_qlinear_conv_c1": [V(x="1x4xui8", w="6x2xi8")],
    "onnx_qlinear_conv_c2": [V(set_group=3)],
    "onnx_qlinear_conv_c3": [V(set_pads=(1, 1))],
    "onnx_qlinear_conv_c4": [V(set_kernel_shape=(2, 3))],
    "onnx_qlinear_conv_c5": [V(set_auto_pad="same")],
    "onnx_qlinear_conv_c6": [V(w="6x2x6x3xi8")],
    "onnx_qlinear_conv_c7": [V(x_scale="4xf32")],
    "onnx_qlinear_conv_c8": [V(w_scale="2xf32", w_zero_point="2xi8")],
    "onnx_qlinear_conv_c9": [V(w_zero_point="i8")],
    "onnx_qlinear_conv_c10": [V(B="6xf32"), V(B="2xi32")],
}


def test_legal_nodes_are_legal() -> None:
    assert [violation for operator in LEGAL for violation in verify(of(operator))] == []


@pytest.mark.parametrize("code", VIOLATING)
def test_a_violating_node_violates_this_constraint_alone(code: str) -> None:
    for node in VIOLATING[code]:
        found = verify(node)
        assert [violation.code for violation in found] == [code]
        assert len(found[0].evidence.splitlines()) >= 2, "expected what came, and what to do"
        assert found[0].where == Location("m.onnx")


def test_each_constraint_has_a_violating_node() -> None:
    rows = {
        f"onnx_{snake(operator)}_{row.constraint.label}"
        for operator, rows in CONSTRAINTS.items()
        for row in rows
    }
    assert rows | {f"onnx_{snake(operator)}_i0" for operator in CONSTRAINTS} == set(VIOLATING)


@pytest.mark.parametrize("operator", sorted(SIGNATURES))
def test_signatures_are_those_of_the_onnx_package(operator: str) -> None:
    """Versions, inputs, attributes with their defaults, and the types of every version."""
    defs = pytest.importorskip("onnx.defs", reason="onnx is not installed")
    schemas = [s for s in defs.get_all_schemas_with_history() if s.name == operator and not s.domain]
    signature = SIGNATURES[operator]
    assert sorted(s.since_version for s in schemas) == sorted(signature.versions)
    for schema in schemas:
        assert tuple(i.name for i in schema.inputs) == signature.inputs
        assert {i.name for i in schema.inputs if i.option.name == "Optional"} == set(signature.optional)
        assert tuple(o.name for o in schema.outputs) == signature.outputs
        own = {n for n, (since, _) in signature.attributes.items() if since <= schema.since_version}
        assert set(schema.attributes) == own


@pytest.mark.parametrize("version", LINEAR)
def test_types_are_those_of_the_onnx_package(version: int) -> None:
    """Each element type at each input of each version is legal here exactly where it is legal there."""
    defs = pytest.importorskip("onnx.defs", reason="onnx is not installed")
    from spec.onnx.node import NUMBERS, ONNX_NAMES

    for operator, (_, inputs, _) in LEGAL.items():
        if operator not in LINEAR_INPUTS:
            continue
        schema = defs.get_schema(operator, version)
        for k, name in enumerate(inputs):
            allowed = {str(t)[7:-1] for t in schema.inputs[k].types}
            ours = {t for t in NUMBERS if legal_at(operator, version, name, t, ONNX_NAMES)}
            shared = (
                {"y_scale": {"float"}, "x_zero_point": {"int8"}}
                if version < 23
                else {"x_zero_point": {"int8"}}
            )
            assert ours == (allowed & shared.get(name, allowed)), (operator, name)


def legal_at(operator: str, version: int, name: str, type: str, names: Mapping[str, str]) -> bool:
    """Return whether no row of an input's type is violated where it has this one."""
    element = next(own for own, onnx in names.items() if onnx == type)
    node = of(operator, version=version)
    node = replace(node, inputs={**node.inputs, name: type_of(f"4x6x{element}" if name == "x" else element)})
    row = {"x": "i1", "y_scale": "i2", "x_scale": "i2", "y_zero_point": "i3", "x_zero_point": "i3"}[name]
    return f"onnx_{snake(operator)}_{row}" not in [violation.code for violation in verify(node)]
