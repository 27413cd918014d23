"""Stochastic rounding: a conversion whose random bits are an argument of the program.

A number x between two neighbours, low and high, of which high is farther from zero, is low + f * (high - low)
with 0 <= f < 1. With k random bits r it becomes high if floor(f * 2^k) + r >= 2^k, else low.

THEOREM: floor(f * 2^k) of all 2^k patterns of r give high. So the mean is x if f * 2^k is whole; else it is
nearer to zero than x by less than (high - low) / 2^k. `tests/test_stochastic.py` adds up all patterns.

The conversion is a composite, `interp.stochastic_round`, whose decomposition is plain StableHLO. So it runs,
compiles and prints everywhere, and `permits` knows that an implementation may have other random bits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import ml_dtypes
import numpy as np

from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.engine.arguments import function_named
from interp.engine.block_scales import scale_table
from interp.engine.quant import spread
from interp.loading.writer import Writer, names_of
from interp.questions.permitted.random_bits import BITS, NAME
from interp.recorder.names import find, operations
from spec.attributes import Opaque, Symbol
from spec.errors import Unsupported, one_of
from spec.ir import Func, Module, Op, Region, Value
from spec.quantized import QuantizedType
from spec.rules.verify import refuse_other
from spec.types import ELEMENT_TYPES, ElementType, TensorType, integer

F32, U32, I1 = (ELEMENT_TYPES[name] for name in ("f32", "ui32", "i1"))
MANTISSA, EXPONENT, SIGN = 23, 0x7F800000, 0x80000000  # of f32
MOST = 23  # random bits: sums of two numbers of as many are exact in f32
CONVERSIONS = ("stablehlo.convert", "stablehlo.uniform_quantize", "quant.qcast")


class Rounding(NamedTuple):
    """A rounding by random bits: how many, and where it is used."""

    bits: int
    source: str


ROUNDINGS: dict[str, Rounding] = {
    "stochastic": Rounding(MOST, "as many bits as f32 has: unbiased wherever normal numbers result"),
    "stochastic_16": Rounding(16, "f32 to bf16 in software: the bits that bf16 drops"),
    "stochastic_8": Rounding(8, "PTX cvt.rs to e4m3x4, e5m2x4, e2m3x4, e3m2x4, e2m1x4; TransformerEngine"),
}


def with_random_bits(
    module: Module, name: str | Op, rounding: str = "stochastic", function: str | None = None
) -> Module:
    """Return the module in which a conversion of f32 rounds by random bits, a new last argument.

    name: the value of a `convert` to a narrower float, or of a `uniform_quantize`. rounding: of `ROUNDINGS`.
    The argument has the shape of the value, in ui8, ui16 or ui32; the lowest bits count. Finite numbers
    saturate; NaN and infinities become what they become in the conversion itself. `Malformed` for other names
    and roundings, `Unsupported` for other types, and for functions that others call.
    """
    refuse_other(module)
    bits = ROUNDINGS[one_of(ROUNDINGS, rounding, "rounding by random bits")].bits
    func = function_named(module, function or "main")
    known = [x for x in operations(module) if x.op.name in CONVERSIONS and x.function == func.name]
    op = find(name, known, "conversion").op
    at = next((k for k, other in enumerate(func.body.ops) if other is op), None)
    if at is None or module.main.name != func.name:
        raise Unsupported("random bits inside of a region or of another function", "inline it", op.location)
    _refuse_types(op)
    width = next(n for n in (8, 16, 32) if n >= bits)
    random = Value(_fresh(func), TensorType(op.result.type.shape, integer(width, False)))
    decomposition = decompose(op, random.type, bits, _free_name(module))
    count = Opaque(f"{{{BITS} = {bits} : i64}}")
    attributes = {"name": NAME, "decomposition": Symbol(decomposition.name), "composite_attributes": count}
    operands = (*op.operands, random)
    new = Op("stablehlo.composite", operands, op.results, attributes, (), op.location)
    ops = (*func.body.ops[:at], new, *func.body.ops[at + 1 :])
    changed = replace(func, body=Region((*func.body.arguments, random), ops))
    functions = {**module.functions, func.name: changed, decomposition.name: decomposition}
    return replace(module, functions=functions)


def _refuse_types(op: Op) -> None:
    source, element = op.operands[0].type, op.result.type.element_type
    if source.element_type != F32:
        evidence = f"expected an operand of f32, got {source!r}"
        raise Unsupported("rounding by random bits of another type", evidence, op.location)
    if isinstance(element, QuantizedType):
        wide = element.storage_type.bits > 16
        fits = element.expressed_type == F32 and element.storage_type.is_integer and not wide
    else:
        fits = element.kind == "float" and element.mantissa < MANTISSA and element.special != "fnu"
    if not fits:
        evidence = f"expected a float narrower than f32, or integers of at most 16 bits, got {element!r}"
        raise Unsupported("rounding by random bits to another type", evidence, op.location)


def _fresh(func: Func) -> str:
    taken = names_of([func.body])
    return next(name for k in range(len(taken) + 1) if (name := f"%random{k or ''}") not in taken)


def _free_name(module: Module) -> str:
    names = (f"stochastic_round.{k}" for k in range(len(module.functions) + 1))
    return next(name for name in names if name not in module.functions)


# The decomposition.


def decompose(op: Op, random: TensorType, bits: int, name: str) -> Func:
    """Return the function that rounds by random bits in plain operations, each of which is exact in f32."""
    arguments = Value("%x", op.operands[0].type), Value("%random", random)
    w = _Steps({"%x", "%random"}, location=op.location, hint="v")
    element = op.result.type.element_type
    steps = w.to_storage if isinstance(element, QuantizedType) else w.to_float
    result = steps(*arguments, bits, op.result.type)
    return Func(name, Region(arguments, (*w.ops, Op("func.return", (result,), ()))), (op.result.type,), False)


class _Steps(Writer):
    """Writer of the steps of a rounding."""

    def to_float(self, x: Value, random: Value, bits: int, type: TensorType) -> Value:
        """Count in units of the last place: an exponent's power of two, or the least one's."""
        element = type.tensor_element_type
        word = self.like(x, U32, "bitcast_convert", x)
        exponent = self.like(x, U32, "and", word, self.full(word, EXPONENT))
        limits = ml_dtypes.finfo(numpy_dtype(element))
        least = self.full(word, int(np.frexp(float(limits.smallest_normal))[1]) + 126 << MANTISSA)
        power = self.like(x, F32, "bitcast_convert", self.like(x, U32, "maximum", exponent, least))
        size = self.like(x, F32, "abs", x)
        places, back = (self.full(x, 2.0 ** (k * element.mantissa)) for k in (1, -1))
        units = self.like(x, F32, "multiply", self.like(x, F32, "divide", size, power), places)
        whole = self.round_up(units, random, bits)
        size = self.like(x, F32, "multiply", self.like(x, F32, "multiply", whole, back), power)
        size = self.like(x, F32, "minimum", size, self.full(x, float(limits.max)))
        rounded = self.with_sign(size, word)
        finite = self.like(x, I1, "is_finite", x)
        return self.emit("convert", [self.like(x, F32, "select", finite, rounded, x)], type)

    def to_storage(self, x: Value, random: Value, bits: int, type: TensorType) -> Value:
        """Divide and add the zero point as a quantization does; then round the magnitude."""
        element = type.quantized_element_type
        points = np.broadcast_to(
            np.asarray(spread(NUMPY, element.zero_points, np.float32, element, type.shape)), type.shape
        )
        scaled = self.like(x, F32, "divide", x, self.constant(scale_table(type, np.float32), x.type))
        moved = self.like(x, F32, "add", scaled, self.constant(points, x.type))
        known = self.emit("compare", [moved, moved], self.of(x, I1), comparison_direction="EQ")
        zero = min(max(0, element.storage_min), element.storage_max)  # NaN (E4)
        moved = self.like(x, F32, "select", known, moved, self.full(x, zero))
        low, high = (self.full(x, bound) for bound in (element.storage_min, element.storage_max))
        inside = self.like(x, F32, "clamp", low, moved, high)
        whole = self.round_up(self.like(x, F32, "abs", inside), random, bits)
        signed = self.with_sign(whole, self.like(x, U32, "bitcast_convert", inside))
        return self.emit("bitcast_convert", [self.like(x, element.storage_type, "convert", signed)], type)

    def round_up(self, units: Value, random: Value, bits: int) -> Value:
        """Return floor(units), plus 1 if the first bits of the rest and the random ones carry."""
        whole = self.like(units, F32, "floor", units)
        rest = self.like(units, F32, "subtract", units, whole)
        first = self.like(
            units, F32, "floor", self.like(units, F32, "multiply", rest, self.full(units, 2.0**bits))
        )
        mask = self.full(random, (1 << bits) - 1)
        drawn = self.like(units, F32, "convert", self.emit("and", [random, mask], random.type))
        total = self.like(units, F32, "add", first, drawn)
        carries = self.emit(
            "compare", [total, self.full(units, 2.0**bits)], self.of(units, I1), comparison_direction="GE"
        )
        above = self.like(units, F32, "add", whole, self.full(units, 1.0))
        return self.like(units, F32, "select", carries, above, whole)

    def with_sign(self, size: Value, word: Value) -> Value:
        """Return a magnitude with the sign of an f32's bits."""
        sign = self.like(word, U32, "and", word, self.full(word, SIGN))
        bits = self.like(word, U32, "or", sign, self.like(word, U32, "bitcast_convert", size))
        return self.like(word, F32, "bitcast_convert", bits)

    def of(self, x: Value, element: ElementType) -> TensorType:
        return TensorType(x.type.shape, element)

    def like(self, x: Value, element: ElementType, name: str, *operands: Value) -> Value:
        """Append an operation whose result has the shape of x."""
        return self.emit(name, operands, self.of(x, element))

    def full(self, x: Value, number: float) -> Value:
        """Append a constant of one number in the type of x."""
        return self.constant(np.full(x.type.shape, number, numpy_dtype(x.type.storage_type)), x.type)
