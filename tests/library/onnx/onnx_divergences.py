"""Differences of ONNX's standard, its ReferenceEvaluator and onnxruntime: a case each, with three results.

`tools/tables.py` writes the table of docs/onnx.md from these rows, and `test_onnx_divergences.py` runs them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

# What a cell says where there are no numbers.
REFUSED = "refused"
NO_KERNEL = "no kernel"
SAME = "as here"


class Row(NamedTuple):
    """A case: operator, operator set, inputs as (numbers, type), attributes; and what each one gives.

    `ours`, `reference` and `runtime` are the first output, or the outputs that `shown` names, as text.
    """

    what: str
    operator: str
    opset: int
    inputs: tuple[tuple[Any, str] | None, ...]
    ours: str
    reference: str
    runtime: str
    attributes: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    shown: int = 0
    erratum: str = ""


def q(x: Any, type: str, zero_point: str | None, scale: Any = 1.0, scaled: str = "") -> tuple[Any, ...]:
    """Return the inputs of a QuantizeLinear: x and its type, the zero point 0 of a type, and the scale."""
    point = () if zero_point is None else ((0, zero_point),)
    return ((x, type), (scale, scaled or type), *point)


QUANTIZE, DEQUANTIZE = "QuantizeLinear", "DequantizeLinear"
DYNAMIC, MATMUL = "DynamicQuantizeLinear", "QLinearMatMul"
ZERO = {"saturate": 0}
ROWS = (
    Row("a quotient beyond int32", QUANTIZE, 13, q([1e10], "float", "int8"),
        "[127]", "[-128]", "[127]", erratum="E39"),
    Row("an infinite quotient", QUANTIZE, 13, q([float("inf")], "float", "int8"),
        "[127]", "[-128]", "[127]", erratum="E39"),
    Row("a quotient beyond int32, to int2", QUANTIZE, 25, q([1e10], "float", "int2"),
        "[1]", "[-2]", "[1]", erratum="E39"),
    Row("NaN", QUANTIZE, 13, q([float("nan")], "float", "int8"),
        "[-128]", "[-128]", "[-128]", erratum="E38"),
    Row("1, -1 and 0 by a scale of 0", QUANTIZE, 13, q([1.0, -1.0, 0.0], "float", "int8", 0.0),
        "[127, -128, -128]", "[-128, -128, -128]", "[127, -128, -128]", erratum="E39"),
    Row("f16 by f16: 1.101 / 0.734", QUANTIZE, 21, q([1.101], "float16", "int8", 0.734),
        "[2]", "[2]", "[1]", erratum="E41"),
    Row("f16 by f16: 1.101 / 0.734", QUANTIZE, 23, q([1.101], "float16", "int8", 0.734),
        "[2]", "[2]", "[2]", erratum="E41"),
    Row("f32 by an f16 scale: 2049 / 4096", QUANTIZE, 23, q([2049.0], "float", "int8", 4096.0, "float16"),
        "[0]", "[1]", "[0]", erratum="E41"),
    Row("precision bfloat16: 2.5078125 / 1", QUANTIZE, 23, q([2.5078125], "float", "int8"),
        "[2]", "[2]", NO_KERNEL, {"precision": 16}, erratum="E41"),
    Row("int32 by a scale of f32", QUANTIZE, 13, q([7], "int32", "int8", 2.0, "float"),
        "[4]", "[4]", NO_KERNEL),
    Row("int32 by int32: 16777217 / 33554432", QUANTIZE, 21, q([2**24 + 1], "int32", "int8", 2**25),
        "[1]", "[1]", NO_KERNEL, erratum="E40"),
    Row("480 to float8e4m3fn, not saturating", QUANTIZE, 21, q([480.0], "float", "float8e4m3fn"),
        "[nan]", "[nan]", "[448.0]", ZERO),
    Row("61440 to float8e5m2, not saturating", QUANTIZE, 21, q([61440.0], "float", "float8e5m2"),
        "[inf]", "[inf]", "[nan]", ZERO),
    Row("a zero point of float8e4m3fn that is 1", QUANTIZE, 21,
        (([2.0], "float"), (1.0, "float"), (1.0, "float8e4m3fn")), REFUSED, "[2.0]", "[2.0]", erratum="E47"),
    Row("a zero point of float4e2m1 that is 1", DEQUANTIZE, 23,
        (([2.0], "float4e2m1"), (1.0, "float"), (1.0, "float4e2m1")),
        "[1.0]", "[2.0]", NO_KERNEL, erratum="E47"),
    Row("any node before version 19", DEQUANTIZE, 13, (([3], "uint8"), (0.5, "float"), (1, "uint8")),
        "[1.0]", REFUSED, "[1.0]"),
    Row("the scale of zeros", DYNAMIC, 11, (([0.0, 0.0], "float"),),
        "0.003921569", "0.003921569", "1.0", shown=1, erratum="E43"),
    Row("the scale of NaN and 1", DYNAMIC, 11, (([float("nan"), 1.0], "float"),),
        "nan", "nan", "0.003921569", shown=1, erratum="E43"),
    Row("the scale of nothing", DYNAMIC, 11, (([], "float"),),
        "0.003921569", REFUSED, "1.0", shown=1, erratum="E43"),
    Row("a tie, and an odd zero point: 0.5 + 1", MATMUL, 10,
        (([[1]], "uint8"), (0.5, "float"), (0, "uint8"), ([[1]], "uint8"), (1.0, "float"), (0, "uint8"),
         (1.0, "float"), (1, "uint8")), "[[1]]", "[[2]]", "[[1]]", erratum="E45"),
    Row("a zero point for each row", "MatMulInteger", 10,
        (([[1, 2], [3, 4]], "uint8"), ([[1, 0], [0, 1]], "uint8"), ([1, 3], "uint8")),
        "[[0, 1], [0, 1]]", "[[0, -1], [2, 1]]", REFUSED),
)  # fmt: skip


def table() -> list[tuple[str, ...]]:
    """Return the rows of the table as they are printed."""
    return [
        (
            row.what,
            f"{row.operator} {row.opset}",
            cell(row.ours),
            *(SAME if given == row.ours else cell(given) for given in (row.reference, row.runtime)),
            row.erratum,
        )
        for row in ROWS
    ]


def cell(text: str) -> str:
    return text if text in (REFUSED, NO_KERNEL) else f"`{text}`"
