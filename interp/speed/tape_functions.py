"""Elementwise functions of f32 and words of 32 bits in machine code, on vectors of any number of lanes."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

from llvmlite import ir

WORD, HALF = ir.IntType(64), ir.IntType(32)
F64 = ir.DoubleType()


def _bits(builder: Any, x: Any) -> Any:
    return builder.bitcast(x, ir.VectorType(HALF, x.type.count))


def _number(x: Any, value: float) -> Any:
    return ir.Constant(x.type, [value] * x.type.count)


def _extreme(compared: str, join: str) -> Callable[..., Any]:
    """Return the maximum or minimum: of NaN the one NaN, of zeros the one that `join` makes of their bits."""

    def write(builder: Any, x: Any, y: Any) -> Any:
        z = builder.select(builder.fcmp_ordered(compared, x, y), x, y)
        same = builder.bitcast(getattr(builder, join)(_bits(builder, x), _bits(builder, y)), x.type)
        z = builder.select(builder.fcmp_ordered("==", x, y), same, z)
        return builder.select(builder.fcmp_unordered("uno", x, y), _number(x, float("nan")), z)

    return write


def _negate(builder: Any, x: Any) -> Any:
    sign = ir.Constant(ir.VectorType(HALF, x.type.count), [-(2**31)] * x.type.count)
    return builder.bitcast(builder.xor(_bits(builder, x), sign), x.type)


def _abs(builder: Any, x: Any) -> Any:
    rest = ir.Constant(ir.VectorType(HALF, x.type.count), [2**31 - 1] * x.type.count)
    return builder.bitcast(builder.and_(_bits(builder, x), rest), x.type)


def _intrinsic(builder: Any, name: str, result: Any, *operands: Any) -> Any:
    module, kind = builder.module, ir.FunctionType(result, [x.type for x in operands])
    return builder.call(module.globals.get(name) or ir.Function(module, kind, name), operands)


def _f32_function(name: str) -> Callable[..., Any]:
    """Return one of LLVM's own functions of f32."""
    return lambda builder, x: _intrinsic(builder, f"llvm.{name}.v{x.type.count}f32", x.type, x)


_round = _f32_function("nearbyint")  # half to even


def _words(x: Any) -> Any:
    return ir.VectorType(HALF, x.type.count)


def _on_words(write: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of words, in vectors of f32 that have their bits."""
    return lambda builder, *xs: builder.bitcast(write(builder, *[_bits(builder, x) for x in xs]), xs[0].type)


def _word_extreme(compared: str) -> Callable[..., Any]:
    return _on_words(lambda builder, x, y: builder.select(builder.icmp_signed(compared, x, y), x, y))


def _whole_word(builder: Any, x: Any) -> Any:
    """Return whole numbers of f32 within i32 as words."""
    return builder.bitcast(builder.fptosi(x, _words(x)), x.type)


def _saturated_word(builder: Any, x: Any) -> Any:
    """Return numbers as words, toward zero; those beyond saturate, and NaN gives 0."""
    name, words = f"llvm.fptosi.sat.v{x.type.count}i32.v{x.type.count}f32", _words(x)
    return builder.bitcast(_intrinsic(builder, name, words, x), x.type)


def _float(builder: Any, x: Any) -> Any:
    return builder.sitofp(_bits(builder, x), x.type)


def _accumulate(builder: Any, total: Any, x: Any) -> Any:
    """Add whole numbers to words."""
    return builder.bitcast(builder.add(_bits(builder, total), builder.fptosi(x, _words(x))), x.type)


def _scaled_and_moved(builder: Any, x: Any, scale: Any, zero_point: Any) -> Any:
    return builder.fadd(builder.fdiv(x, scale), zero_point)


def _quantize(builder: Any, x: Any, scale: Any, zero_point: Any, low: Any, high: Any, nan: Any) -> Any:
    """Return the stored number, in f32; adding 0 leaves no -0."""
    x = _scaled_and_moved(builder, x, scale, zero_point)
    x = builder.select(builder.fcmp_ordered("<", x, low), low, x)
    x = builder.select(builder.fcmp_ordered(">", x, high), high, x)
    x = builder.fadd(_round(builder, x), _number(x, 0.0))
    return builder.select(builder.fcmp_unordered("uno", x, x), nan, x)


def _quantize_word(builder: Any, x: Any, scale: Any, zero_point: Any) -> Any:
    return _saturated_word(builder, _round(builder, _scaled_and_moved(builder, x, scale, zero_point)))


def _dequantize(builder: Any, x: Any, zero_point: Any, scale: Any) -> Any:
    return builder.fmul(builder.fsub(x, zero_point), scale)


def _dequantize_word(builder: Any, x: Any, zero_point: Any, scale: Any) -> Any:
    """Subtract the zero point, a word, exactly, and round once."""
    wide = ir.VectorType(F64, x.type.count)
    stored, zero = (builder.sitofp(_bits(builder, y), wide) for y in (x, zero_point))
    return builder.fmul(builder.fptrunc(builder.fsub(stored, zero), x.type), scale)


def _comparison(compared: str) -> Callable[..., Any]:
    """Return a comparison that gives 1 or 0; with NaN only != holds."""

    def write(builder: Any, x: Any, y: Any) -> Any:
        compare = builder.fcmp_unordered if compared == "!=" else builder.fcmp_ordered
        return builder.uitofp(compare(compared, x, y), x.type)

    return write


def _word_comparison(compared: str) -> Callable[..., Any]:
    def write(builder: Any, x: Any, y: Any) -> Any:
        return builder.uitofp(builder.icmp_signed(compared, _bits(builder, x), _bits(builder, y)), x.type)

    return write


def _select(builder: Any, pred: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered("!=", pred, _number(pred, 0.0)), x, y)


COMPARED = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda builder, x, y: builder.fadd(x, y),
    "subtract": lambda builder, x, y: builder.fsub(x, y),
    "multiply": lambda builder, x, y: builder.fmul(x, y),
    "divide": lambda builder, x, y: builder.fdiv(x, y),
    "maximum": _extreme(">", "and_"),
    "minimum": _extreme("<", "or_"),
    "multiply_whole": lambda builder, x, y: builder.fadd(builder.fmul(x, y), _number(x, 0.0)),  # without -0
    "add_words": _on_words(lambda builder, x, y: builder.add(x, y)),
    "subtract_words": _on_words(lambda builder, x, y: builder.sub(x, y)),
    "multiply_words": _on_words(lambda builder, x, y: builder.mul(x, y)),
    "maximum_words": _word_extreme(">"),
    "minimum_words": _word_extreme("<"),
    "accumulate": _accumulate,
    **{f"compare_{name}": _comparison(compared) for name, compared in COMPARED.items()},
    **{f"compare_words_{name}": _word_comparison(compared) for name, compared in COMPARED.items()},
}
UNARY: dict[str, Callable[..., Any]] = {
    "copy": lambda builder, x: x,
    "negate": _negate,
    "abs": _abs,
    "sqrt": _f32_function("sqrt"),
    "round_nearest_even": _round,
    "floor": _f32_function("floor"),
    "ceil": _f32_function("ceil"),
    "whole_word": _whole_word,
    "saturated_word": _saturated_word,
    "float": _float,
}
TERNARY: dict[str, Callable[..., Any]] = {
    "select": _select,
    "quantize_word": _quantize_word,
    "dequantize": _dequantize,
    "dequantize_word": _dequantize_word,
}
QUANTIZE: dict[str, Callable[..., Any]] = {"quantize": _quantize}  # the last three are single numbers

# Exponential functions in machine code: computed in f64, rounded to f32, and told where that may be wrong.
#
# THEOREM: let y in f64 be off by less than 2^-46 of itself. Where no tie between two neighbouring f32 numbers
# is so near to y, the rounded y is the correctly rounded result. Elsewhere, and where y is subnormal in f32,
# the lane is doubtful, and Python computes its result again with as many digits as it needs.
#
# The errors, in units of 2^-53: a polynomial of degree 13 for |r| <= 0.35 leaves out less than 1/16; its
# rounded evaluation is off by at most 3; the reduction of the argument adds 1; the operations around it at
# most 16. All of that is below 2^-48.

LOG2_E = 1.4426950408889634
LN2_HIGH = float.fromhex("0x1.62e42fefa3000p-1")  # the leading 41 bits of ln 2: its products with k are exact
LN2_LOW = float.fromhex("0x1.3de6af278ece6p-42")
MAGIC = 1.5 * 2.0**52  # added to a number, it leaves an integer in the last bits
DEGREE = 13
DOUBT = 1 << 6  # units in the last place of f64
HALFWAY = 1 << 28  # of the 29 bits that f32 drops
CLAMPED = 120.0  # an exponent, beyond which every result is 0 or infinite in f32


class Doubles:
    """Arithmetic on vectors of f64, of as many lanes as a vector of f32."""

    def __init__(self, builder: Any, x: Any) -> None:
        self.builder, self.lanes = builder, x.type.count
        self.kind = ir.VectorType(F64, self.lanes)
        self.bits = ir.VectorType(WORD, self.lanes)

    def number(self, value: float) -> Any:
        return ir.Constant(self.kind, [value] * self.lanes)

    def integer(self, value: int) -> Any:
        return ir.Constant(self.bits, [value] * self.lanes)

    def clamp(self, x: Any, size: float) -> Any:
        """Return numbers of at most a size; NaN stays."""
        for compared, end in ((">", size), ("<", -size)):
            beyond = self.builder.fcmp_ordered(compared, x, self.number(end))
            x = self.builder.select(beyond, self.number(end), x)
        return x

    def reduce(self, x: Any) -> tuple[Any, Any]:
        """Return r and the power of two with `exp(x) = power * exp(r)`, |r| at most 0.35."""
        b = self.builder
        shifted = b.fadd(b.fmul(x, self.number(LOG2_E)), self.number(MAGIC))
        k = b.fsub(shifted, self.number(MAGIC))
        r = b.fsub(b.fsub(x, b.fmul(k, self.number(LN2_HIGH))), b.fmul(k, self.number(LN2_LOW)))
        exponent = b.shl(b.bitcast(shifted, self.bits), self.integer(52))
        power = b.bitcast(b.add(exponent, self.integer(0x3FF << 52)), self.kind)
        return r, power

    def less_one(self, r: Any) -> Any:
        """Return `exp(r) - 1` by its series."""
        b, total = self.builder, self.number(1 / factorial(DEGREE))
        for k in range(DEGREE - 1, 0, -1):
            total = b.fadd(b.fmul(total, r), self.number(1 / factorial(k)))
        return b.fmul(total, r)

    def exponential(self, x: Any) -> Any:
        r, power = self.reduce(self.clamp(x, CLAMPED))
        return self.builder.fmul(self.builder.fadd(self.less_one(r), self.number(1.0)), power)

    def narrow(self, y: Any) -> tuple[Any, Any]:
        """Return y in f32, NaN in one form, and which lanes are doubtful."""
        b = self.builder
        dropped = b.sub(b.bitcast(y, self.bits), self.integer(HALFWAY - DOUBT))
        dropped = b.and_(dropped, self.integer(2 * HALFWAY - 1))
        near = b.icmp_unsigned("<=", dropped, self.integer(2 * DOUBT))
        size = b.bitcast(b.and_(b.bitcast(y, self.bits), self.integer(2**63 - 1)), self.kind)
        above = b.fcmp_ordered(">", size, self.number(2.0**-151))
        below = b.fcmp_ordered("<", size, self.number(2.0**-126))
        kind = ir.VectorType(ir.FloatType(), self.lanes)
        z = b.fptrunc(y, kind)
        nan = ir.Constant(kind, [float("nan")] * self.lanes)
        return b.select(b.fcmp_unordered("uno", z, z), nan, z), b.or_(near, b.and_(above, below))


def _exponential(d: Doubles, x: Any) -> Any:
    return d.exponential(x)


def _logistic(d: Doubles, x: Any) -> Any:
    one = d.number(1.0)
    return d.builder.fdiv(one, d.builder.fadd(one, d.exponential(d.builder.fneg(x))))


def _tanh(d: Doubles, x: Any) -> Any:
    """Return `t / (t + 2)` for `t = exp(2x) - 1`, with the sign of x."""
    b = d.builder
    r, power = d.reduce(d.clamp(b.fadd(x, x), CLAMPED / 2))
    t = b.fadd(b.fmul(power, d.less_one(r)), b.fsub(power, d.number(1.0)))
    y = b.bitcast(b.fdiv(t, b.fadd(t, d.number(2.0))), d.bits)
    sign = b.and_(b.bitcast(x, d.bits), d.integer(-(2**63)))
    return b.bitcast(b.or_(b.and_(y, d.integer(2**63 - 1)), sign), d.kind)


def _rsqrt(d: Doubles, x: Any) -> Any:
    name, module = f"llvm.sqrt.v{d.lanes}f64", d.builder.module
    known = module.globals.get(name)
    sqrt = known or ir.Function(module, ir.FunctionType(d.kind, [d.kind]), name)
    return d.builder.fdiv(d.number(1.0), d.builder.call(sqrt, [x]))


def _writer(function: Callable[[Doubles, Any], Any]) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Return `write(builder, x)`, which gives a vector of f32 and which lanes are doubtful."""

    def write(builder: Any, x: Any) -> tuple[Any, Any]:
        doubles = Doubles(builder, x)
        return doubles.narrow(function(doubles, builder.fpext(x, doubles.kind)))

    return write


DOUBTFUL = {
    "exponential": _writer(_exponential),
    "logistic": _writer(_logistic),
    "tanh": _writer(_tanh),
    "rsqrt": _writer(_rsqrt),
}
