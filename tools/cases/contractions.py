"""Cases of dot_general and convolution: geometry on small integers, exact in any schedule, and types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cases.operations import INF, Operation, drawn, op, program, types

Q, W = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 0.25:-2>"
ACCUMULATOR, OUT = "!quant.uniform<i32:f32, 0.125>", "!quant.uniform<i8:f32, 2.0:-5>"
DOTS: dict[str, tuple[str, Sequence[tuple[int, ...]]]] = {
    # lhs, rhs and result; lhs and rhs batching, lhs and rhs contracting dimensions
    "matrices": ("3x4; 4x2; 3x2", ((), (), (1,), (0,))),
    "transposed": ("4x3; 2x4; 3x2", ((), (), (0,), (1,))),
    "vectors": ("5; 5; ", ((), (), (0,), (0,))),
    "outer": ("3; 2; 3x2", ((), (), (), ())),
    "batch": ("2x3x4; 2x4x5; 2x3x5", ((0,), (0,), (2,), (1,))),
    "batch_last": ("3x4x2; 4x2x5; 2x3x5", ((2,), (1,), (1,), (0,))),
    "two_batches": ("2x3x4; 3x4x2; 2x3", ((0, 1), (2, 0), (2,), (1,))),
    "two_contracted": ("3x2x4; 4x2x5; 3x5", ((), (), (1, 2), (1, 0))),
    "contracted_in_order": ("2x4x3; 4x2x2; 3x2", ((), (), (1, 0), (0, 1))),
    "empty": ("3x0; 0x2; 3x2", ((), (), (1,), (0,))),
    "no_rows": ("0x3; 3x2; 0x2", ((), (), (1,), (0,))),
}
ELEMENTS = {
    "i8": ("i8", "i8", "i8"),
    "i32": ("i8", "i8", "i32"),
    "ui8": ("ui8", "ui8", "ui32"),
    "i4": ("i4", "i4", "i8"),
    "f32": ("f32", "f32", "f32"),
    "bf16": ("bf16", "bf16", "f32"),
    "int_to_float": ("i8", "i8", "f32"),
    "complex": ("complex<f32>", "complex<f32>", "complex<f32>"),
    "quantized": (Q, "!quant.uniform<i8:f32, 0.25>", OUT),
    "accumulator": (Q, "!quant.uniform<i8:f32, 0.25>", ACCUMULATOR),
    "hybrid": ("f32", "!quant.uniform<i8:f32, 0.25>", "f32"),
    "u8": (
        "!quant.uniform<u8:f32, 0.5:128>",
        "!quant.uniform<u8:f32, 0.25>",
        "!quant.uniform<u8:f32, 2.0:100>",
    ),
}
WHY = "Sizes differ, so that no dimension is taken for another; products and sums are exact in any schedule."


def operations() -> Iterator[Operation]:
    yield from dots()
    yield from convolutions()


def typed(shapes: str, elements: Sequence[str]) -> str:
    sides = [f"{s.strip()}x{e}" if s.strip() else e for s, e in zip(shapes.split(";"), elements, strict=True)]
    return f"{sides[0]}; {sides[1]} -> {sides[2]}"


def dot(name: str, shapes: str, dims: Sequence[tuple[int, ...]], elements: Sequence[str], spread: int = 6):
    names = (f"{side}_{kind}_dimensions" for kind in ("batching", "contracting") for side in ("lhs", "rhs"))
    signature = typed(shapes, elements)
    operands = types(signature.split("->")[0])
    args = [drawn(f"{name}{k}", t, spread) for k, t in enumerate(operands)]
    text = program(op("dot_general", signature, **dict(zip(names, dims, strict=True))))
    clause = "dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones"
    return Operation("contraction", f"dot_{name}", clause, WHY, text, args)


def dots() -> Iterator[Operation]:
    for name, (shapes, dims) in DOTS.items():
        for kind in ("i32", "f32", "quantized"):
            yield dot(f"{name}_{kind}", shapes, dims, ELEMENTS[kind])
    for kind, elements in ELEMENTS.items():
        spread = 120 if kind in ("i8", "ui8", "i4", "i32", "int_to_float") else 6
        yield dot(f"type_{kind}", *DOTS["matrices"], elements, spread)
        yield dot(f"batch_type_{kind}", *DOTS["batch_last"], elements)
    yield dot("saturates", *DOTS["matrices"], ELEMENTS["quantized"], 120)
    per_axis = "!quant.uniform<i8:f32:1, {0.5, 0.25}>"
    yield dot("per_axis", *DOTS["matrices"], (Q, per_axis, ACCUMULATOR))
    result = "!quant.uniform<i8:f32:1, {2.0:1, 4.0:-3}>"
    yield dot("per_axis_result", *DOTS["matrices"], (Q, per_axis, result))
    yield dot("per_axis_hybrid", *DOTS["matrices"], ("f32", per_axis, "f32"))


class Layout:
    """Dimension numbers of a convolution of n spatial dimensions."""

    def __init__(self, lhs: str, rhs: str, out: str) -> None:
        n = sum(c.isdigit() for c in lhs)
        spots = lambda text: tuple(text.index(str(k)) for k in range(n))
        self.attributes: dict[str, Any] = {
            "input_batch_dimension": lhs.index("b"),
            "input_feature_dimension": lhs.index("f"),
            "input_spatial_dimensions": spots(lhs),
            "kernel_input_feature_dimension": rhs.index("i"),
            "kernel_output_feature_dimension": rhs.index("o"),
            "kernel_spatial_dimensions": spots(rhs),
            "output_batch_dimension": out.index("b"),
            "output_feature_dimension": out.index("f"),
            "output_spatial_dimensions": spots(out),
        }


def convolution(
    name: str,
    shapes: str,
    layout: str,
    elements: Sequence[str],
    why: str = WHY,
    args: Any = None,
    mode: str = "",
    **more: Any,
) -> Operation:
    """`layout` is as in MLIR's short form: `b01f 01io b01f`."""
    dims = Layout(*layout.split())
    n = len(dims.attributes["input_spatial_dimensions"])
    filled: dict[str, Any] = {
        "window_strides": (1,) * n,
        "padding": ((0, 0),) * n,
        "lhs_dilation": (1,) * n,
        "rhs_dilation": (1,) * n,
        "window_reversal": (False,) * n,
        "feature_group_count": 1,
        "batch_group_count": 1,
    }
    signature = typed(shapes, elements)
    operands = types(signature.split("->")[0])
    given = args or [drawn(f"{name}{k}", t, 6) for k, t in enumerate(operands)]
    text = program(op("convolution", signature, **filled | dims.attributes | more))
    clause = "convolution: windows of lhs by slices of rhs, kernel positions, then input features"
    return Operation("contraction", f"conv_{name}", clause, why, text, given, mode=mode)


IMAGE = "b01f 01io b01f"


def convolutions() -> Iterator[Operation]:
    for kind, e in {"i32": ("i32",) * 3, "f32": ELEMENTS["f32"], "quantized": ELEMENTS["quantized"]}.items():
        yield convolution(f"plain_{kind}", "2x4x5x2; 2x3x2x3; 2x3x3x3", IMAGE, e)
        yield convolution(f"strides_{kind}", "1x6x7x1; 2x2x1x2; 1x3x2x2", IMAGE, e, window_strides=(2, 3))
        yield convolution(f"padding_{kind}", "1x3x3x2; 3x2x2x1; 1x4x3x1", IMAGE, e, padding=((2, 1), (0, 1)))
        yield convolution(f"crops_{kind}", "1x5x6x1; 2x2x1x2; 1x4x3x2", IMAGE, e, padding=((-1, 1), (0, -2)))
        yield convolution(f"lhs_dilation_{kind}", "1x3x2x1; 2x2x1x2; 1x4x3x2", IMAGE, e, lhs_dilation=(2, 3))
        yield convolution(f"rhs_dilation_{kind}", "1x6x5x1; 2x3x1x2; 1x4x1x2", IMAGE, e, rhs_dilation=(2, 2))
        yield convolution(
            f"reversal_{kind}", "1x4x4x1; 2x3x1x2; 1x3x2x2", IMAGE, e, window_reversal=(True, False)
        )
        yield convolution(
            f"reversal_dilated_{kind}",
            "1x5x6x2; 2x3x2x1; 1x3x2x1",
            IMAGE,
            e,
            window_reversal=(True, True),
            rhs_dilation=(2, 2),
        )
        yield convolution(
            f"feature_groups_{kind}", "1x4x6; 2x2x9; 1x3x9", "b0f 0io b0f", e, feature_group_count=3
        )
        yield convolution(
            f"batch_groups_{kind}", "6x4x2; 2x2x9; 2x3x9", "b0f 0io b0f", e, batch_group_count=3
        )
        yield convolution(f"layout_{kind}", "4x2x5x3; 2x3x3x2; 3x3x2x2", "0b1f o1i0 01bf", e)
        yield convolution(f"layout_features_{kind}", "2x3x4x5; 2x3x2x3; 2x2x3x3", "bf01 oi01 bf01", e)
        yield convolution(f"pointwise_{kind}", "3x2; 2x4; 3x4", "bf io bf", e)
        yield convolution(
            f"everything_{kind}",
            "1x4x4x2; 2x2x1x4; 1x3x4x4",
            IMAGE,
            e,
            window_strides=(2, 2),
            padding=((1, 0), (1, 1)),
            lhs_dilation=(2, 2),
            rhs_dilation=(2, 1),
            window_reversal=(False, True),
            feature_group_count=2,
        )
    for kind, elements in ELEMENTS.items():
        mixed = len({"!" in e or e for e in elements}) > 1 and kind != "hybrid"
        mode = "mlir" if mixed else ""  # (erratum E19)
        yield convolution(f"type_{kind}", "1x5x2; 3x2x3; 1x3x3", "b0f 0io b0f", elements, mode=mode)
    per_axis = "!quant.uniform<i8:f32:2, {0.5, 0.25, 1.0}>"
    yield convolution("per_axis", "1x5x2; 3x2x3; 1x3x3", "b0f 0io b0f", (Q, per_axis, ACCUMULATOR))
    yield convolution("per_axis_hybrid", "1x5x2; 3x2x3; 1x3x3", "b0f 0io b0f", ("f32", per_axis, "f32"))
    yield convolution(
        "infinite_weight",
        "1x2x1; 3x1x1; 1x2x1",
        "b0f 0io b0f",
        ("f32", "f32", "f32"),
        "Padding is zero products (erratum E23): no NaN of zero times infinity.",
        [[1.0, 2.0], [INF, 1.0, 3.0]],
        padding=((1, 1),),
    )
    yield convolution(
        "zero_point_padding",
        "1x2x1; 3x1x1; 1x2x1",
        "b0f 0io b0f",
        (Q, "!quant.uniform<i8:f32, 0.25>", ACCUMULATOR),
        "Padding stands for the number 0, which is stored as the zero point, not as 0.",
        [[10, 20], [4, 5, 6]],
        padding=((1, 1),),
    )
