"""Elementwise functions of f32 in machine code, on vectors of any number of lanes."""

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


def _sqrt(builder: Any, x: Any) -> Any:
    kind, name = ir.FunctionType(x.type, [x.type]), f"llvm.sqrt.v{x.type.count}f32"
    module = builder.module
    return builder.call(module.globals.get(name) or ir.Function(module, kind, name), [x])


BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda builder, x, y: builder.fadd(x, y),
    "subtract": lambda builder, x, y: builder.fsub(x, y),
    "multiply": lambda builder, x, y: builder.fmul(x, y),
    "divide": lambda builder, x, y: builder.fdiv(x, y),
    "maximum": _extreme(">", "and_"),
    "minimum": _extreme("<", "or_"),
}
UNARY: dict[str, Callable[..., Any]] = {
    "copy": lambda builder, x: x,
    "negate": _negate,
    "abs": _abs,
    "sqrt": _sqrt,
}

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
