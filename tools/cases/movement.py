"""Cases of conversions, of operations that make, move and choose elements, and of control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cases.operations import INF, NAN, Operation, drawn, edges, op, program, types

WIDE = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    126.5,
    127.5,
    -128.5,
    200.0,
    255.5,
    -1.0,
    300.0,
    -300.0,
    1e10,
    -1e10,
]
WIDE += [
    2147483648.0,
    -2147483904.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    65519.0,
    65520.0,
    1e30,
    INF,
    -INF,
    NAN,
    0.1,
    257.0,
]
WIDE_INTEGERS = [
    0,
    1,
    -1,
    2,
    3,
    127,
    128,
    129,
    -128,
    -129,
    255,
    256,
    257,
    259,
    2049,
    2051,
    65519,
    65520,
    16777217,
]
CONVERSIONS = (
    "f32 i8|f32 ui8|f32 i4|f32 i32|f32 ui32|f32 i64|f32 ui64|f64 i32|f64 f32|f64 f16|f64 bf16|f32 f16|"
    "f32 bf16|f32 f8E4M3FN|f32 f8E5M2|f16 f32|bf16 f16|f16 i8|i64 f32|i64 f16|i64 bf16|ui64 f32|"
    "ui64 bf16|i32 f32|i32 bf16|i32 i8|i32 ui8|i8 ui8|ui8 i8|i8 i32|ui8 i32|i32 i4|i64 i2|i32 ui4|"
    "f32 i1|i8 i1|i1 f32|i1 i32|complex<f32> f32|f32 complex<f32>|complex<f64> complex<f32>|"
    "complex<f32> i8|i8 complex<f32>|complex<f32> i1"
)
BITCASTS = (
    "6xf32 -> 6xi32|6xi32 -> 6xf32|3xf32 -> 3x4xui8|2x4xi8 -> 2xf32|4xi8 -> 4x2xi4|3x2xi4 -> 3xi8|"
    "4xf16 -> 4xi16|4xbf16 -> 4xui16|3xi64 -> 3x2xi32|3xf64 -> 3x4xi16|4xui64 -> 4xf64|"
    "2x8xui8 -> 2xi64|3xi16 -> 3x8xi2|4xi8 -> 4xui8"
)


def operations() -> Iterator[Operation]:
    yield from conversions()
    yield from quantizations()
    yield from structures()
    yield from choices_of_elements()
    yield from control()


def label(text: str) -> str:
    return text.replace("<", "_").replace(">", "")


def conversions() -> Iterator[Operation]:
    for pair in CONVERSIONS.split("|"):
        source, result = pair.split()
        (t,) = types(f"1x{source}")
        kind = t.storage_type.kind
        values: list[Any] = edges(t)
        if kind == "float":
            values = [x for x in WIDE if abs(x) < 1e5 or source not in ("f16",) or x in (INF, -INF)]
            values = [*values, NAN]
        elif kind in ("signed", "unsigned"):
            storage = t.storage_type
            values = [*values, *(x for x in WIDE_INTEGERS if storage.min_value <= x <= storage.max_value)]
        text = program(op("convert", f"{len(values)}x{source} -> {len(values)}x{result}"))
        clause = "convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0"
        why = "Bounds, ties, fractions and what does not fit."
        yield Operation("conversion", f"convert_{label(source)}_{label(result)}", clause, why, text, [values])
    for signature in BITCASTS.split("|"):
        source, result = types(signature.split("->")[0])[0], types(signature.split("->")[1])[0]
        values = drawn(signature, source)
        if signature.startswith(("6xi32", "2x4xi8")):
            values = [0x3F800000, 0x40490FDB, 1, -1082130432, 0x7F000000, 0x00800000][: source.size]
            values = [0, 0, -128, 63, 1, 2, 3, 64] if source.size == 8 else values
        if signature.startswith("4xui64"):
            values = [0x3FF0000000000000, 0xC000000000000000, 0, 0x7FE0000000000001]
        text = program(op("bitcast_convert", signature))
        name = f"bitcast_{source.storage_type}_{result.storage_type}"
        clause, why = (
            "bitcast_convert: little-endian (erratum E17)",
            "The first element holds the lowest bits.",
        )
        yield Operation("conversion", name, clause, why, text, [values])


PER_AXIS = {
    "0": "2x3x2x!quant.uniform<i8:f32:0, {0.5:3, 0.25:-7}>",
    "1": "2x3x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25:-7, 2.0}>",
    "2": "2x3x2x!quant.uniform<u8:f32:2, {0.1:128, 0.3:7}>",
    "square": "2x2x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25:-7}>",
}
RANGES = {
    "i8": "i8:f32, 0.5:3",
    "u8": "u8:f32, 0.1:128",
    "i4": "i4:f32, 0.5:-1",
    "u4": "u4:f32, 1.0:7",
    "i2": "i2:f32, 1.0",
    "i16": "i16:f32, 0.01:100",
    "u16": "u16:f16, 0.5:1000",
    "f16": "i8:f16, 0.3:-20",
    "bf16": "i8:bf16, 0.3:9",
    "f64": "i16:f64, 0.1:-7",
    "below": "i8<-100:-10>:f32, 0.5:-50",
    "above": "u8<16:240>:f32, 0.5:100",
    "least": "i8<-120:127>:f32, 1.0",
    "most": "i8<-128:120>:f32, 1.0",
    "i32": "i32:f32, 1.0:1",
    "i32_most": "i32<-2147483648:1000>:f32, 1.0",
    "i32_least": "i32<-1000:2147483647>:f32, 1.0",
    "i32_one_less": "i32<-2147483647:1000>:f32, 1.0",
    "u32": "u32:f32, 1.0",
    "i32_f64": "i32<-2147483647:1000>:f64, 1.0:-5",
}
QUANTIZING = (
    "zero point added after rounding, as ONNX",
    "ties rounded away from zero",
    "wrapped instead of saturated",
    "storage_min and storage_max ignored, as StableHLO's passes at 32 bits",
    "NaN quantized to the zero point",
    "NaN quantized to storage_min",
)


def quantizations() -> Iterator[Operation]:
    values = [
        0.0,
        -0.0,
        0.25,
        0.75,
        1.25,
        -0.25,
        -0.75,
        5.5,
        -6.5,
        30.0,
        -31.0,
        62.0,
        62.25,
        63.0,
        -65.5,
        -66.0,
        100.0,
    ]
    values += [
        1e4,
        -1e4,
        1e6,
        -3e9,
        3e9,
        5e9,
        1e20,
        INF,
        -INF,
        NAN,
        999.5,
        1000.5,
        1001.0,
        -1000.5,
        0.1,
        12.7,
        -0.3,
    ]
    for name, text in RANGES.items():
        q = f"!quant.uniform<{text}>"
        E = types(f"1x{q}")[0].quantized_element_type
        plain = E.expressed_type.name
        real = [v for v in values if plain != "f16" or abs(v) < 65504 or abs(v) == INF or v != v]
        yield Operation(
            "uniform_quantize",
            f"values_{name}",
            "quantize: NaN gives 0 (erratum E4), then the clamp to storage_min and storage_max (E3)",
            "Ties, both bounds, beyond them, infinities and NaN.",
            program(op("uniform_quantize", f"{len(real)}x{plain} -> {len(real)}x{q}")),
            [real],
            QUANTIZING,
        )
        stored = edges(*types(f"1x{q}"))
        yield Operation(
            "uniform_dequantize",
            f"values_{name}",
            "dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)",
            "Both bounds, and what lies around zero.",
            program(op("uniform_dequantize", f"{len(stored)}x{q} -> {len(stored)}x{plain}")),
            [stored],
        )
        if name.startswith(("i32", "u32")):
            continue
        other = f"!quant.uniform<i8:{plain}, 0.3:-4>"
        yield Operation(
            "uniform_quantize",
            f"requantize_{name}",
            "uniform_quantize: a quantized operand is dequantized first (erratum E2)",
            "Every edge of one type in the parameters of another.",
            program(op("uniform_quantize", f"{len(stored)}x{q} -> {len(stored)}x{other}")),
            [stored],
        )
        for cast, signature, given in (
            ("qcast", f"{len(real)}x{plain} -> {len(real)}x{q}", real),
            ("dcast", f"{len(stored)}x{q} -> {len(stored)}x{plain}", stored),
        ):
            if "<" in text and cast == "dcast":
                continue
            clause = f"quant.{cast}: convertFloatToInt truncates, each step is rounded (erratum E16)"
            why = "Fractions of both signs, bounds, infinities and NaN."
            yield Operation(
                "conversion", f"{cast}_{name}", clause, why, program(op(f"quant.{cast}", signature)), [given]
            )
    q = "!quant.uniform<i8:f32, 0.3:-4>"
    for name, shape in (("scalar", ""), ("empty", "2x0x"), ("cube", "2x1x3x")):
        for verb, source, result in (
            ("uniform_quantize", "f32", q),
            ("uniform_dequantize", q, "f32"),
            ("quant.qcast", "f32", q),
            ("quant.dcast", q, "f32"),
        ):
            signature = f"{shape}{source} -> {shape}{result}"
            (t,) = types(f"{shape}{source}")
            given = drawn(f"{verb}{name}", t)
            family, _, short = verb.rpartition(".")
            yield Operation(
                "conversion" if family else verb,
                f"{short}_{name}" if family else name,
                f"{verb}: elements of any shape",
                "One element without dimensions, none at all, or several dimensions.",
                program(op(verb, signature)),
                [given],
            )
    for name, text in PER_AXIS.items():
        (t,) = types(text)
        shape = text.partition("!")[0]
        plain = t.quantized_element_type.expressed_type.name
        stored, real = drawn(name, t), [k * 2.75 - 15 for k in range(t.size)]
        clause, why = (
            "per-axis parameters go with their dimension",
            "Every slice has a scale and a zero point.",
        )
        for verb, signature, given in (
            ("uniform_quantize", f"{shape}{plain} -> {text}", real),
            ("uniform_dequantize", f"{text} -> {shape}{plain}", stored),
        ):
            yield Operation(
                verb, f"axis_{name}", f"{verb}: {clause}", why, program(op(verb, signature)), [given]
            )
        for verb, signature, given in (
            ("quant.qcast", f"{shape}{plain} -> {text}", real),
            ("quant.dcast", f"{text} -> {shape}{plain}", stored),
        ):
            file = f"{verb.partition('.')[2]}_axis_{name}"
            yield Operation(
                "conversion", file, f"{verb}: {clause}", why, program(op(verb, signature)), [given]
            )
        inverse = "!quant.uniform<i8:f32, 0.4:1>"
        signature = f"{text} -> {shape}{inverse}"
        yield Operation(
            "uniform_quantize",
            f"axis_{name}_to_one",
            f"uniform_quantize: {clause}",
            "From one scale for each slice to one for all.",
            program(op("uniform_quantize", signature)),
            [stored],
        )
    blocks = {
        "rows": "4x2x!quant.uniform<i8:f32:{0:2}, {{0.5:1}, {0.25:-2}}>",
        "both": "4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 2.0}, {0.25:-2, 1.0:5}}>",
        "last": "2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{0.5:1, 0.3:128}, {0.25:2, 1.0:9}}>",
    }
    for name, text in blocks.items():
        (t,) = types(text)
        shape = text.partition("!")[0]
        for verb, signature, given in (
            ("qcast", f"{shape}f32 -> {text}", [k * 1.75 - 9 for k in range(t.size)]),
            ("dcast", f"{text} -> {shape}f32", drawn(name, t)),
        ):
            clause, why = f"quant.{verb}: a scale and a zero point for each block", "Blocks of several sizes."
            yield Operation(
                "conversion",
                f"{verb}_blocks_{name}",
                clause,
                why,
                program(op(f"quant.{verb}", signature)),
                [given],
            )
    for storage, q in (
        ("i8", "i8:f32, 0.5:3"),
        ("i4", "i4:f32, 0.5"),
        ("i8", "u8:f32, 0.5"),
        ("i16", "i16:f32, 0.5"),
    ):
        q = f"!quant.uniform<{q}>"
        for name, signature in (("from", f"6x{q} -> 6x{storage}"), ("to", f"6x{storage} -> 6x{q}")):
            given = (edges(types(signature.split("->")[0])[0]) * 3)[:3] + (
                edges(types(signature.split("->")[0])[0])
            )[-3:]
            file = f"scast_{name}_{q.partition('<')[2].partition(':')[0]}"
            clause, why = "quant.scast: the bits of the storage", "Both ends of the range."
            yield Operation("conversion", file, clause, why, program(op("quant.scast", signature)), [given])


ELEMENTS = {"i8": "i8", "f32": "f32", "i1": "i1", "quantized": "!quant.uniform<i8:f32, 0.5:3>", "i4": "i4"}


def structures() -> Iterator[Operation]:
    def one(name: str, file: str, signature: str, clause: str, **more: Any) -> Operation:
        given = [drawn(f"{file}{k}", t) for k, t in enumerate(types(signature.split("->")[0]))]
        why = "All elements differ, where the type has enough of them; sizes differ, too."
        return Operation(
            "structure", file, f"{name}: {clause}", why, program(op(name, signature, **more)), given
        )

    iotas = {"i8": "i8", "f32": "f32", "ui4": "ui4", "bf16": "bf16", "complex": "complex<f32>"}
    for name, element in {**iotas, "quantized": "!quant.uniform<i8:f32, 0.4:3>"}.items():
        for d in (0, 1):
            signature = f" -> 3x4x{element}"
            yield one(
                "iota", f"iota_{name}_{d}", signature, "the index along iota_dimension", iota_dimension=d
            )
    for name, length in (("bf16", 300), ("f16", 2100), ("i8", 300), ("i4", 20)):
        signature = f" -> {length}x{name}"
        clause = "indices are converted: integers wrap, floats round"
        yield one("iota", f"iota_long_{name}", signature, clause, iota_dimension=0)
    for name, e in ELEMENTS.items():
        clause = "result dimension d is operand dimension permutation[d]"
        yield one("transpose", f"transpose_{name}", f"2x3x4x{e} -> 4x2x3x{e}", clause, permutation=(2, 0, 1))
        yield one(
            "reverse", f"reverse_{name}", f"2x3x4x{e} -> 2x3x4x{e}", "listed dimensions", dimensions=(0, 2)
        )
        yield one("reshape", f"reshape_{name}", f"2x6x{e} -> 3x2x2x{e}", "row-major order")
        yield one(
            "slice",
            f"slice_{name}",
            f"7x5x{e} -> 3x2x{e}",
            "from start_indices in steps of strides, below limit_indices",
            start_indices=(1, 2),
            limit_indices=(7, 5),
            strides=(2, 2),
        )
        yield one(
            "pad",
            f"pad_{name}",
            f"3x4x{e}; {e} -> 8x3x{e}",
            "low, high and interior padding, negative ones crop",
            edge_padding_low=(1, -1),
            edge_padding_high=(2, 0),
            interior_padding=(1, 0),
        )
        yield one(
            "pad",
            f"pad_crops_holes_{name}",
            f"3x4x{e}; {e} -> 4x5x{e}",
            "negative padding after interior padding",
            edge_padding_low=(-1, -2),
            edge_padding_high=(-2, 0),
            interior_padding=(2, 1),
        )
        yield one(
            "concatenate",
            f"concatenate_{name}",
            f"2x1x{e}; 2x3x{e}; 2x0x{e}; 2x2x{e} -> 2x6x{e}",
            "inputs in their order along dimension",
            dimension=1,
        )
        for file, signature, dimensions in (
            ("permuted", f"3x2x{e} -> 2x4x3x{e}", (2, 0)),
            ("expanded", f"1x3x{e} -> 2x3x{e}", (0, 1)),
            ("scalar", f"{e} -> 2x3x{e}", ()),
            ("square", f"2x2x{e} -> 2x2x{e}", (1, 0)),
        ):
            yield one(
                "broadcast_in_dim",
                f"broadcast_{file}_{name}",
                signature,
                "operand dimension d is result dimension broadcast_dimensions[d]",
                broadcast_dimensions=dimensions,
            )
    yield one("concatenate", "concatenate_rows", "1x2xi8; 3x2xi8 -> 4x2xi8", "along the first", dimension=0)
    yield one("transpose", "transpose_scalar", "f32 -> f32", "nothing to permute", permutation=())
    yield one("reverse", "reverse_nothing", "3xi8 -> 3xi8", "no dimensions", dimensions=())
    cropped = {"edge_padding_low": (0,), "edge_padding_high": (-5,), "interior_padding": (1,)}
    yield one("pad", "pad_crops_all", "3xi8; i8 -> 0xi8", "a size of zero", **cropped)
    empty = {"edge_padding_low": (2,), "edge_padding_high": (1,), "interior_padding": (3,)}
    yield one("pad", "pad_of_nothing", "0xi8; i8 -> 3xi8", "an operand without elements", **empty)


GATHERS: dict[str, tuple[str, dict[str, Any], list[int]]] = {
    "rows": (
        "4x3xi8; 5xi32 -> 5x3xi8",
        {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 3)}
        | {"index_vector_dim": 1},
        [3, 0, -2, 9, 1],
    ),
    "elements": (
        "4x3xi8; 5x2xi64 -> 5xi8",
        {"offset_dims": (), "collapsed_slice_dims": (0, 1), "start_index_map": (1, 0), "slice_sizes": (1, 1)}
        | {"index_vector_dim": 1},
        [0, 3, 2, 0, 7, -1, 1, 1, -3, 2],
    ),
    "windows": (
        "4x5xi8; 2x3xi32 -> 2x3x3xi8",
        {"offset_dims": (0, 2), "start_index_map": (0, 1), "slice_sizes": (2, 3), "index_vector_dim": 0},
        [1, 3, 0, 2, 0, 9],
    ),
    "batching": (
        "3x4x2xi8; 3x2x1xi32 -> 3x2x2xi8",
        {"offset_dims": (2,), "collapsed_slice_dims": (1,), "operand_batching_dims": (0,)}
        | {"start_indices_batching_dims": (0,), "start_index_map": (1,), "slice_sizes": (1, 1, 2)}
        | {"index_vector_dim": 2},
        [0, 3, 2, 1, -1, 5],
    ),
    "batching_after_vector": (
        "3x4x2xi8; 1x2x3xui8 -> 2x3x2xi8",
        {"offset_dims": (2,), "collapsed_slice_dims": (1,), "operand_batching_dims": (0,)}
        | {"start_indices_batching_dims": (2,), "start_index_map": (1,), "slice_sizes": (1, 1, 2)}
        | {"index_vector_dim": 0},
        [0, 3, 2, 1, 200, 5],
    ),
    "unmapped": (
        "4x5xi8; 3x1xi32 -> 3x2x2xi8",
        {"offset_dims": (1, 2), "start_index_map": (1,), "slice_sizes": (2, 2), "index_vector_dim": 1},
        [4, 1, 2],
    ),
    "offsets_first": (
        "4x5xi8; 3xui64 -> 2x3x5xi8",
        {"offset_dims": (0, 2), "start_index_map": (0,), "slice_sizes": (2, 5), "index_vector_dim": 1},
        [2**64 - 1, 1, 0],
    ),
}


def choices_of_elements() -> Iterator[Operation]:
    for name, (signature, attributes, starts) in GATHERS.items():
        filled: dict[str, Any] = {
            "collapsed_slice_dims": (),
            "operand_batching_dims": (),
            "start_indices_batching_dims": (),
            "indices_are_sorted": False,
        }
        for element in ("i8", "f32", "!quant.uniform<i8:f32, 0.5:3>"):
            text = program(op("gather", signature.replace("xi8", f"x{element}"), **filled | attributes))
            operand = drawn(name, types(signature.replace("xi8", f"x{element}").split(";")[0])[0])
            file = f"gather_{name}" + {"i8": "", "f32": "_f32"}.get(element, "_quantized")
            clause = "gather: full_start_index, clamped, + full_batching_index + full_offset_index"
            why = "Start indices before, in and beyond the operand, in the order of start_index_map."
            yield Operation("structure", file, clause, why, text, [operand, starts])
    for name, signature, sizes, starts in (
        ("inside", "5x4xi8; i32; i32 -> 2x3xi8", (2, 3), [1, 1]),
        ("clamped", "5x4xi8; i64; i64 -> 2x3xi8", (2, 3), [9, -4]),
        ("unsigned", "5x4xi8; ui8; ui8 -> 3x1xi8", (3, 1), [255, 3]),
        ("narrow", "5x4xi8; i4; i4 -> 3x4xi8", (3, 4), [-8, 7]),
        ("f32", "6xf32; ui64 -> 2xf32", (2,), [2**64 - 1]),
        ("nothing", "6xf32; i32 -> 0xf32", (0,), [9]),
    ):
        operand = drawn(name, types(signature.split(";")[0])[0])
        clause = "dynamic_slice: start_indices are clamped, so that the slice lies in the operand"
        text = program(op("dynamic_slice", signature, slice_sizes=sizes))
        why = "Starts before and beyond the operand; unsigned ones are never negative."
        yield Operation(
            "structure", f"dynamic_slice_{name}", clause, why, text, [operand, *([s] for s in starts)]
        )


CALL = """module {
  func.func public @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
    %0:2 = func.call @twice(%a, %b) : (tensor<3xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>)
    %1:2 = func.call @twice(%0#1, %0#0) : (tensor<3xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>)
    func.return %1#0, %1#1 : tensor<3xi8>, tensor<3xi8>
  }
  func.func private @twice(%x: tensor<3xi8>, %y: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
    %0 = stablehlo.subtract %x, %y : tensor<3xi8>
    %1 = stablehlo.add %y, %y : tensor<3xi8>
    func.return %0, %1 : tensor<3xi8>, tensor<3xi8>
  }
}
"""
WHILE = """module {
  func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %half = stablehlo.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
    %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.subtract %i, %one : tensor<i32>
      %z = stablehlo.multiply %y, %half : tensor<2xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
    }
    func.return %0#0, %0#1 : tensor<i32>, tensor<2xf32>
  }
}
"""
CASE = """module {
  func.func @main(%index: tensor<i32>, %x: tensor<2xi8>) -> tensor<2xi8> {
    %0 = "stablehlo.case"(%index) ({
      %1 = stablehlo.negate %x : tensor<2xi8>
      stablehlo.return %1 : tensor<2xi8>
    }, {
      stablehlo.return %x : tensor<2xi8>
    }, {
      %1 = stablehlo.add %x, %x : tensor<2xi8>
      stablehlo.return %1 : tensor<2xi8>
    }) : (tensor<i32>) -> tensor<2xi8>
    func.return %0 : tensor<2xi8>
  }
}
"""
IF = """module {
  func.func @main(%pred: tensor<i1>, %x: tensor<2xi8>, %y: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
    %0:2 = "stablehlo.if"(%pred) ({
      %1 = stablehlo.subtract %x, %y : tensor<2xi8>
      stablehlo.return %1, %x : tensor<2xi8>, tensor<2xi8>
    }, {
      stablehlo.return %y, %x : tensor<2xi8>, tensor<2xi8>
    }) : (tensor<i1>) -> (tensor<2xi8>, tensor<2xi8>)
    func.return %0#0, %0#1 : tensor<2xi8>, tensor<2xi8>
  }
}
"""
BARRIER = """module {
  func.func @main(%a: tensor<2xi8>, %b: tensor<f32>) -> (tensor<2xi8>, tensor<f32>) {
    %0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xi8>, tensor<f32>
    func.return %0#0, %0#1 : tensor<2xi8>, tensor<f32>
  }
}
"""
CONSTANTS = """!q = !quant.uniform<i8:f32, 0.5:3>
!c = tensor<complex<f32>>
module {
  func.func @main() -> (tensor<2x2xi8>, tensor<3xf32>, tensor<2x!q>, tensor<2xi1>, tensor<4xi4>, !c) {
    %0 = stablehlo.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
    %1 = stablehlo.constant dense<-2.500000e+00> : tensor<3xf32>
    %2 = "stablehlo.constant"() {value = dense<[3, -128]> : tensor<2xi8>} : () -> tensor<2x!q>
    %3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %4 = stablehlo.constant dense<[-8, 7, 0, -1]> : tensor<4xi4>
    %5 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : !c
    func.return %0, %1, %2, %3, %4, %5
      : tensor<2x2xi8>, tensor<3xf32>, tensor<2x!q>, tensor<2xi1>, tensor<4xi4>, !c
  }
}
"""


def control() -> Iterator[Operation]:
    def one(name: str, clause: str, why: str, text: str, *args: Any) -> Operation:
        return Operation("control", name, clause, why, text, args)

    yield one(
        "call",
        "call: results and operands in their order",
        "A swap is told.",
        CALL,
        [1, 2, 3],
        [10, -20, 120],
    )
    for n in (0, 3):
        why = "No step, or three." if n else "The condition is asked before the first step."
        yield one(f"while_{n}", "while: body as long as cond holds", why, WHILE, [n], [8.0, -1.0])
    for n in (-1, 0, 1, 2, 3):
        name = f"case_{n}".replace("-", "minus_")
        why = "The branch of that number; the last one for numbers that no branch has."
        yield one(name, "case: an index outside selects the last branch", why, CASE, [n], [3, -128])
    for pred in (True, False):
        why = "Two results, of which one is the other branch's."
        yield one(f"if_{pred}".lower(), "if: true_branch or false_branch", why, IF, [pred], [1, 2], [30, -40])
    yield one(
        "barrier", "optimization_barrier: results are the operands", "In order.", BARRIER, [1, 2], [0.5]
    )
    why = "A splat, one list, storage, booleans, four bits, complex numbers."
    yield one("constants", "constant: the elements as written", why, CONSTANTS)
