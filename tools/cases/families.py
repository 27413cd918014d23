"""Families: a clause of the semantics over element types and over the three ops, arguments drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cases.drafts import Draft
from cases.programs import Spec
from spec.types import parse_type

OPS = ("reduce", "reduce_window", "select_and_scatter")
RAW = "stored integers not converted to the body's type, as StableHLO's passes"
INIT = "init value not converted"
POINTLESS = "converted without zero points"
MERGED = "converted with one merged scale, as StableHLO's passes"
ONNX = "zero point added after rounding, as ONNX"
AWAY = "ties rounded away from zero"
TRUNC = "rounded toward zero"
WRAP = "wrapped instead of saturated"
RANGE = "storage_min and storage_max ignored, as StableHLO's passes at 32 bits"
SIGNED = "unsigned storage read as signed, as StableHLO's passes"
SIGNED_BOUNDS = "unsigned storage read and saturated as signed"
LITERAL = "zero point subtracted in the storage type, the literal text"
BOUND = "the rounded bound converted back with overflow, as x86"
INTEGERS = "accumulated in integers, which wrap at 32 bits, as StableHLO's passes"
ONCE = "accumulated exactly and stored once"
DESCENDING, SWAPPED = "elements in descending order", "operands of the body swapped"


class Family(NamedTuple):
    """`types` are pairs of an input's and its body's element type."""

    name: str
    clause: str
    why: str
    types: dict[str, tuple[str, str]]
    mistakes: tuple[str, ...] = ()
    combine: str = "add"
    draw: str = "any"
    init: object = None
    ops: tuple[str, ...] = OPS
    variants: tuple[tuple[str, Callable[[str], str]], ...] = ()


def shaped(op: str, input: str, body: str, combine: str) -> Spec:
    """Two rows of six; overlapping windows of three on seven; overlapping windows that scatter into seven."""
    common = {"inputs": [input], "bodies": [body], "combine": combine}
    if op == "reduce":
        return Spec(op, (2, 6), **common, result=(2,), dimensions=(1,))
    windows = {"window": (3,), "padding": ((1, 1),)}
    if op == "reduce_window":
        return Spec(op, (7,), **common, result=(4,), strides=(2,), **windows)
    return Spec(op, (7,), **common, result=(7,), source=(7,), **windows)


def f32_instead(old: str) -> tuple[str, Callable[[str], str]]:
    return f"{old} computed as f32", lambda text: text.replace(f":{old},", ":f32,")


FAMILIES = (
    Family(
        "zero_point_first",
        "quantize: the zero point is added before rounding, ties to even",
        "The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is "
        "off by one.",
        {
            "i8": ("i8:f32, 0.5:3", "i8:f32, 1.0:1"),
            "u8": ("u8:f32, 0.25:128", "i16:f32, 0.5:-3"),
            "i4": ("i4:f32, 0.5:1", "i8:f32, 1.0:-7"),
            "f16": ("i8:f16, 0.5:3", "i8:f16, 1.0:5"),
            "bf16": ("i8:bf16, 0.5:-1", "i8:bf16, 1.0:1"),
            "f64": ("i16:f64, 0.5:9", "i32:f64, 1.0:-101"),
        },
        (ONNX, AWAY, TRUNC),
        draw="up to 20",
    ),
    Family(
        "exact_subtraction",
        "dequantize: q - zero_point is exact (erratum E1)",
        "q - zero_point leaves the storage type's range; an implementation that wraps it there reads "
        "another number.",
        {
            "i8": ("i8:f32, 0.5:-128", "i32:f32, 0.5"),
            "i4": ("i4:f32, 0.5:-8", "i8:f32, 0.5"),
            "i2": ("i2:f32, 0.5:-2", "i8:f32, 0.5"),
            "i16": ("i16:f32, 0.25:-32768", "i32:f32, 0.25"),
            "u8": ("u8:f32, 0.5:200", "i16:f32, 0.5"),
        },
        (LITERAL, POINTLESS),
    ),
    Family(
        "storage_range",
        "quantize: clamp to storage_min and storage_max, at every width",
        "The sum leaves the declared storage range but not the storage type's: both clamping to the "
        "wider range and "
        "wrapping give another number.",
        {
            "i8": ("i8<-100:100>:f32, 0.5:3", "i8<-100:100>:f32, 0.5:3"),
            "i4": ("i4<-6:6>:f32, 0.5", "i4<-6:6>:f32, 0.5"),
            "u8": ("u8<16:240>:f32, 0.5:128", "u8<16:240>:f32, 0.5:128"),
            "i16": ("i16<-1000:1000>:f32, 0.1", "i16<-1000:1000>:f32, 0.1"),
            "i32": ("i32<-100:100>:f32, 0.5", "i32<-100:100>:f32, 0.5"),
            "widened": ("i8:f32, 0.5:3", "i32<-150:150>:f32, 0.5:3"),
            "f16": ("i8<-50:50>:f16, 0.5:-1", "i8<-50:50>:f16, 0.5:-1"),
        },
        (RANGE,),
        draw="ends",
    ),
    Family(
        "saturates",
        "quantize: saturate at the storage bounds",
        "Sums leave the storage type; wrapping, as integers do, gives another number.",
        {
            "i8": ("i8:f32, 0.5:3", "i8:f32, 0.5:3"),
            "u8": ("u8:f32, 0.5:128", "u8:f32, 0.5:128"),
            "i4": ("i4:f32, 0.5:-1", "i4:f32, 0.5:-1"),
            "ui4": ("ui4:f32, 0.5:7", "ui4:f32, 0.5:7"),
            "i2": ("i2:f32, 1.0", "i2:f32, 1.0"),
            "i16": ("i16:f32, 0.01:5", "i16:f32, 0.01:5"),
            "bf16": ("i8:bf16, 0.5:3", "i8:bf16, 0.5:3"),
        },
        (WRAP,),
        draw="ends",
    ),
    Family(
        "bounds_of_32_bits",
        "quantize: the rounded storage bound saturates (erratum E3)",
        "storage_max is 4294967296.0 or 2147483648.0 in f32; converting that back must not wrap.",
        {
            "i32": ("i8:f32, 16777216.0", "i32:f32, 1.0"),
            "fine": ("i8:f32, 16777216.0:3", "i32:f32, 0.5:-1"),
            "u32": ("i8:f32, 33554432.0:-128", "u32:f32, 1.0"),
        },
        (BOUND, WRAP),
        draw="high",
    ),
    Family(
        "unsigned",
        "storage: u8 and ui8 are unsigned (erratum E11)",
        "Stored values at or above half of the range read as signed are negative.",
        {
            "u8": ("u8:f32, 0.5:1", "i16:f32, 0.5"),
            "ui8": ("ui8:f32, 0.25:128", "i32:f32, 0.25:128"),
            "u4": ("u4:f32, 0.5:3", "i8:f32, 0.5"),
            "ui4": ("ui4:f32, 0.5:8", "i16:f32, 0.25:7"),
            "u2": ("u2:f32, 1.0:1", "i8:f32, 1.0"),
            "u16": ("u16:f32, 0.5:32768", "i32:f32, 0.5"),
            "f16": ("u8:f16, 0.5:10", "i16:f16, 0.5:10"),
        },
        (SIGNED,),
    ),
    Family(
        "unsigned_sum",
        "storage: the sum of u8 is unsigned (erratum E11)",
        "Results above half of the range, where signed storage ends.",
        {
            "u8": ("u8:f32, 0.5:1", "u8:f32, 0.5:1"),
            "ui8": ("ui8:f32, 0.5:100", "ui8:f32, 0.5:100"),
        },
        (SIGNED_BOUNDS,),
        draw="up to 90",
    ),
    Family(
        "promotion",
        "to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)",
        "Input and body have other scales and zero points: stored integers mean other numbers in the body.",
        {
            "i8_i32": ("i8:f32, 0.5:3", "i32:f32, 0.25"),
            "i8_i16": ("i8:f32, 0.1:3", "i16:f32, 0.3:-7"),
            "i8_i8": ("i8:f32, 0.5:3", "i8:f32, 2.0"),
            "i4_i8": ("i4:f32, 0.5:1", "i8:f32, 0.3:2"),
            "i2_i4": ("i2:f32, 1.0", "i4:f32, 1.5:-1"),
            "i16_i32": ("i16:f32, 0.01:100", "i32:f32, 0.003:50"),
            "u8_u16": ("u8:f32, 0.02:128", "u16:f32, 0.05:1000"),
            "u4_i8": ("u4:f32, 0.5:8", "i8:f32, 0.3"),
            "f16": ("i8:f16, 0.5:3", "i32:f16, 0.3"),
            "bf16": ("i8:bf16, 0.5:3", "i16:bf16, 0.3:-9"),
            "f64": ("i8:f64, 0.1:5", "i32:f64, 0.03:9"),
        },
        (RAW, INIT, POINTLESS),
        draw="up to 30",
    ),
    Family(
        "formula",
        "to_destination_type: dequantize, then quantize, each operation rounded",
        "One merged scale rounds elsewhere: some elements are off by one.",
        {
            "i8": ("i8:f32, 0.1:-128", "i16:f32, 0.2:-128"),
            "i16": ("i8:f32, 0.3:5", "i16:f32, 0.12:-3"),
            "u8": ("u8:f32, 0.05:10", "u16:f32, 0.1:20"),
        },
        (MERGED,),
    ),
    Family(
        "division",
        "quantize: x / scale is a division",
        "Multiplication by the rounded reciprocal differs in the last bit of large quotients.",
        {"i16": ("i16:f32, 1000.0", "i32:f32, 3.0"), "f16": ("i8:f16, 20.0", "i16:f16, 0.7")},
        ("multiplied by the reciprocal of the scale",),
    ),
    Family(
        "nan",
        "quantize: NaN gives 0 clamped into the storage range (erratum E4)",
        "Partial sums become infinite with both signs; their sum is NaN, which is neither the zero point "
        "nor the bound.",
        {
            "f16": ("i8:f16, 60000.0:5", "i8:f16, 60000.0:5"),
            "u8": ("u8:f16, 60000.0:128", "u8:f16, 60000.0:128"),
            "f32": ("i8:f32, 3.0e+38:5", "i8:f32, 3.0e+38:5"),
            "bf16": ("i8:bf16, 3.0e+38:-7", "i8:bf16, 3.0e+38:-7"),
            "range": ("i8<-50:-10>:f16, 60000.0:-30", "i8<-50:-10>:f16, 60000.0:-30"),
        },
        ("NaN quantized to the zero point",),
        draw="up to 6",
    ),
    Family(
        "float_accumulator",
        "add: the quantized sum goes through the expressed type",
        "The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that "
        "it loses.",
        {
            "i32": ("i32:f32, 1.0", "i32:f32, 1.0"),
            "f16": ("i16:f16, 1.0", "i32:f16, 1.0"),
            "bf16": ("i16:bf16, 1.0", "i32:bf16, 1.0"),
        },
        (INTEGERS,),
        draw="any",
    ),
    Family(
        "expressed",
        "each operation rounds once in the expressed type",
        "Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.",
        {"f16": ("i8:f16, 0.1:3", "i16:f16, 0.03:7")},
        draw="any",
        variants=(f32_instead("f16"),),
    ),
    Family(
        "expressed_bf16",
        "each operation rounds once in the expressed type",
        "Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.",
        {"bf16": ("i8:bf16, 0.1:3", "i16:bf16, 0.07:-5"), "same": ("i8:bf16, 0.3", "i8:bf16, 0.3")},
        variants=(f32_instead("bf16"),),
    ),
    Family(
        "expressed_f64",
        "each operation rounds once in the expressed type",
        "Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.",
        {"f64": ("i16:f64, 0.1:3", "i32:f64, 0.00001:-5")},
        variants=(f32_instead("f64"),),
    ),
    Family(
        "maximum",
        "maximum: dequantize, maximum, quantize: it can change a value",
        "Quantizing the dequantized value gives a neighbour; the largest stored integer is not the answer.",
        {"bf16": ("i16:bf16, 0.3", "i16:bf16, 0.3"), "f16": ("i16:f16, 0.1", "i16:f16, 0.1")},
        ("largest stored integer, not requantized",),
        "maximum",
        draw="low",
        init="least",
    ),
    Family(
        "minimum",
        "minimum: dequantize, minimum, quantize: it can change a value",
        "Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.",
        {"bf16": ("i16:bf16, 0.3", "i16:bf16, 0.3"), "u16": ("u16:f16, 0.1:100", "u16:f16, 0.1:100")},
        ("least stored integer, not requantized",),
        "minimum",
        draw="high",
        init="most",
    ),
    Family(
        "converted_maximum",
        "to_destination_type: elements and init are converted before the body sees them",
        "The scales differ: the largest stored integer is another number in the body's type.",
        {"i8": ("i8:f32, 0.5:3", "i8:f32, 1.0"), "u8": ("u8:f32, 0.5:128", "i16:f32, 0.2")},
        (RAW, POINTLESS),
        "maximum",
    ),
    Family(
        "multiply",
        "multiply: quantized products are rounded after each step",
        "Each product of real numbers is rounded to the type; ties and the odd zero point show how.",
        {"i8": ("i8:f32, 0.5:3", "i8:f32, 0.5:3"), "i16": ("i8:f32, 0.5:3", "i16:f32, 0.25:-1")},
        (ONNX, TRUNC),
        "multiply",
        "small",
        init="one",
    ),
    Family(
        "init_converted",
        "to_destination_type: the init value is converted, too",
        "The init value stands for 10.0; its stored integer, taken as it is, stands for another number.",
        {"i8": ("i8:f32, 0.5:3", "i32:f32, 0.25"), "u8": ("u8:f32, 0.5:128", "i16:f32, 0.1:7")},
        (INIT, RAW),
        draw="small",
        init="ten",
    ),
    Family(
        "in_order",
        "exec(schedule): leaves in ascending order, the left operand first",
        "The body returns its second argument: every schedule gives the last element, or the init value "
        "where it comes "
        "last; none gives the first.",
        {
            "i8": ("i8:f32, 0.5:3", "i8:f32, 0.5:3"),
            "widened": ("i8:f32, 0.5:3", "i32:f32, 0.25"),
            "f32": ("f32", "f32"),
            "i32": ("i32", "i32"),
        },
        (DESCENDING,),
        "b0",
    ),
    Family(
        "first",
        "exec(schedule): the left operand comes first",
        "The body returns its first argument: every schedule gives the converted init value, or the first "
        "element where "
        "that comes before; none gives the last.",
        {"i8": ("i8:f32, 0.5:3", "i32:f32, 0.25"), "f32": ("f32", "f32")},
        (SWAPPED,),
        "a0",
        init="ten",
    ),
    Family(
        "composed",
        "the body may be any function; each of its ops rounds",
        "a * b + a is rounded twice, never once.",
        {"i8": ("i8:f32, 0.5:3", "i8:f32, 0.5:3"), "i16": ("i8:f32, 0.5:3", "i16:f32, 0.5:-1")},
        (TRUNC,),
        "s = multiply a0 b0\nt = add s a0\nt",
        "small",
        init="one",
    ),
    Family(
        "widened_integers",
        "to_destination_type: integers are converted to the body's wider integers",
        "The sum does not fit the inputs' type.",
        {"i8": ("i8", "i32"), "ui8": ("ui8", "ui32"), "i16": ("i16", "i64"), "i4": ("i4", "i8")},
        ("accumulated in the inputs' type",),
        draw="ends",
    ),
    Family(
        "widened_floats",
        "to_destination_type: floats are converted to the body's wider floats",
        "Accumulated in the inputs' type, digits are lost at every step.",
        {"f16": ("f16", "f32"), "bf16": ("bf16", "f32"), "f32": ("f32", "f64")},
        ("accumulated in the inputs' type",),
    ),
    Family(
        "wrapping_integers",
        "integer addition wraps",
        "Saturating sums are those of quantized types only.",
        {"i8": ("i8", "i8"), "ui8": ("ui8", "ui8"), "i32": ("i32", "i32")},
        ("saturated instead of wrapped",),
        draw="high",
    ),
    Family(
        "stepwise",
        "floating-point sums round at every step",
        "Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.",
        {"bf16": ("bf16", "bf16"), "f16": ("f16", "f16")},
        (ONCE,),
        draw="big",
    ),
)


def inits(family: Family, input: str) -> list[object]:
    """The stored init value of `one` or `ten`: its real number over the scale, plus the zero point."""
    if family.init is None:
        return []
    if family.init in ("least", "most"):
        type = parse_type(f"tensor<!quant.uniform<{input}>>").quantized_element_type
        return [type.storage_min if family.init == "least" else type.storage_max]
    real = {"one": 1.0, "ten": 10.0}[str(family.init)]
    if ":" not in input:
        return [real]
    scale, _, point = input.rpartition(", ")[2].partition(":")
    return [round(real / float(scale)) + int(point or 0)]


def drafts() -> Iterator[tuple[str, Draft]]:
    """The op's name and the draft of every member of every family."""
    for family in FAMILIES:
        for label, (input, body) in family.types.items():
            for op in family.ops:
                name = family.name if len(family.types) == 1 else f"{family.name}_{label}"
                yield (
                    op,
                    Draft(
                        name,
                        family.clause,
                        family.why,
                        shaped(op, input, body, family.combine),
                        mistakes=family.mistakes,
                        variants=family.variants,
                        draw=family.draw,
                        init=inits(family, input),
                    ),
                )
