"""A namespace that records, and its numbers: each function appends a line of code on numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from interp.backends.base import Namespace
from spec.types import ElementType

# Numbers without a value: what the kernels compute with while their code is recorded.

KNOWN = frozenset(map(np.dtype, "?bhilBHILfd"))
COMPARISONS = {
    "equal": "{} == {}",
    "not_equal": "{} != {}",
    "less": "{} < {}",
    "less_equal": "{} <= {}",
    "greater": "{} > {}",
    "greater_equal": "{} >= {}",
}


class Unrecordable(NotImplementedError):
    """Raised by what has no form as straight-line code on numbers."""


class Scalar:
    """A number that recorded code computes: like a 0-d array of this dtype, but without a value."""

    __array_ufunc__ = None  # an array beside it gives way
    shape: tuple[int, ...] = ()
    ndim, size = 0, 1

    def __init__(self, xp: Any, dtype: Any, name: str) -> None:
        self.xp, self.dtype, self.name = xp, np.dtype(dtype), name
        if self.dtype not in KNOWN:
            raise Unrecordable(f"a number of {self.dtype}")

    def astype(self, dtype: Any, copy: bool = False) -> Scalar:
        return self.xp.cast(self, np.dtype(dtype))

    def reshape(self, *shape: Any) -> Scalar:
        if shape not in ((), ((),), ([],)):
            raise Unrecordable(f"a shape {shape}")
        return self

    def __getattr__(self, name: str) -> Any:
        raise Unrecordable(f"{name} of a number")

    def __bool__(self) -> bool:
        raise Unrecordable("a branch on a value")

    __array__ = __iter__ = __getitem__ = __len__ = __int__ = __float__ = __index__ = __bool__
    __hash__ = object.__hash__


def _operators() -> None:
    """Give `Scalar` the operators of an array."""
    names = {"add": "add", "sub": "subtract", "mul": "multiply"}
    names |= {"truediv": "divide", "floordiv": "floor_divide"}
    names |= {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}
    names |= {"lshift": "left_shift", "rshift": "right_shift"}
    for short, name in names.items():
        setattr(Scalar, f"__{short}__", lambda x, y, name=name: getattr(x.xp, name)(x, y))
        setattr(Scalar, f"__r{short}__", lambda x, y, name=name: getattr(x.xp, name)(y, x))
    pairs = zip(("eq", "ne", "lt", "le", "gt", "ge"), COMPARISONS, strict=True)
    for short, name in (*pairs, ("neg", "negative"), ("invert", "invert"), ("abs", "absolute")):
        setattr(Scalar, f"__{short}__", lambda *x, name=name: getattr(x[0].xp, name)(*x))


_operators()


# A namespace that records: each function appends a line of straight-line code on numbers.
#
# A kernel that runs on `Scalar`s, as it would on 0-d arrays, leaves behind what it did, for a compiler to
# repeat on millions of numbers. Results are those of NumPy's arrays, bit for bit; the dtypes of every
# function are those that NumPy resolves. What has no such form (a function of more than numbers, a Python
# branch on a value) raises `Unrecordable`.

MOST = 500  # lines, beyond which compiling takes seconds
BITWISE = {"bitwise_and": "{} & {}", "bitwise_or": "{} | {}", "bitwise_xor": "{} ^ {}", "invert": "~{}"}
SUMS = {"add": "{} + {}", "subtract": "{} - {}", "multiply": "{} * {}", "negative": "-{}"}
CALLS = ("ceil", "floor", "rint", "sqrt", "trunc", "copysign", "fmod")
# By the kind of the dtype that a function computes in.
FORMS: dict[str, dict[str, str]] = {
    "b": {**COMPARISONS, **BITWISE, "logical_and": "{} & {}", "logical_or": "{} | {}", "logical_not": "~{}"},
    "i": {**COMPARISONS, **BITWISE, **SUMS, "left_shift": "{} << {}", "right_shift": "{} >> {}"},
    "f": {**COMPARISONS, **SUMS, "divide": "{} / {}", "absolute": "fabs({})"}
    | {name: f"{name}({{}})" for name in CALLS}
    | {name: f"{name}({{}}, {{}})" for name in ("copysign", "fmod")},
}
FORMS["u"] = FORMS["i"]
UFUNCS = {name for forms in FORMS.values() for name in forms}
CONSTANTS = {name for name in dir(np) if isinstance(getattr(np, name), type | float)}


class Recording(Namespace):
    """One recording: `lines` of code, and `constants`, lines before them. Equal lines are written once.

    arrays: the namespace whose carriers the numbers have.
    """

    def __init__(self, arrays: Namespace) -> None:
        super().__init__(np)
        self.arrays = arrays
        self.lines: dict[str, Scalar] = {}
        self.constants: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        if name in CONSTANTS:
            return getattr(np, name)
        if name in UFUNCS:
            return partial(self._ufunc, name)
        return partial(_on_constants, name)

    def carrier_name(self, type: ElementType) -> str:
        return self.arrays.carrier_name(type)

    def computes_in(self, type: ElementType) -> bool:
        return self.arrays.computes_in(type)

    def line(self, dtype: Any, text: str) -> Scalar:
        """Return the value of an expression, as another line of code."""
        if text not in self.lines:
            if len(self.lines) == MOST:
                raise Unrecordable(f"code of more than {MOST} lines")
            self.lines[text] = Scalar(self, dtype, f"v{len(self.lines)}")
        return self.lines[text]

    def constant_of(self, value: Any, dtype: np.dtype) -> Scalar:
        """Return a known number as a constant of this dtype."""
        if np.shape(value) != ():
            raise Unrecordable("an array of constants")
        try:
            number = np.asarray(value, dtype)[()] if isinstance(value, int | float) else value.astype(dtype)
        except OverflowError as error:
            raise Unrecordable(str(error)) from error
        text = f"{dtype.name}({number.item()!r})"
        return Scalar(self, dtype, self.constants.setdefault(text, f"c{len(self.constants)}"))

    def cast(self, x: Any, dtype: np.dtype) -> Scalar:
        """Return a number in another dtype, as `astype` converts; floats must be in the range of integers."""
        if not isinstance(x, Scalar):
            return self.constant_of(x, dtype)
        if x.dtype == dtype:
            return x
        if dtype.kind == "b":
            return self.not_equal(x, 0)
        name = x.name
        if (
            x.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 8
        ):  # LLVM knows a vector form of it
            name = f"int32({name})" if dtype.name != "uint32" else f"int64({name})"
        return self.line(dtype, f"{dtype.name}({name})")

    def _ufunc(self, name: str, *operands: Any) -> Any:
        """Record a ufunc in the dtypes that NumPy computes it in."""
        if not any(isinstance(x, Scalar) for x in operands):
            return getattr(np, name)(*operands)
        ufunc = getattr(np, name)
        try:
            *loop, result = ufunc.resolve_dtypes((*map(_operand_type, operands), *[None] * ufunc.nout))
        except TypeError as error:
            raise Unrecordable(str(error)) from error
        form = FORMS.get(loop[0].kind, {}).get(name)
        if form is None or len(set(loop)) > 1:
            raise Unrecordable(f"{name} in {loop}")
        text = form.format(*(self.cast(x, dtype).name for x, dtype in zip(operands, loop, strict=True)))
        return self.line(result, f"{result.name}({text})" if result.kind in "iu" else text)

    def broadcast_to(self, x: Any, shape: tuple[int, ...]) -> Any:
        return x.reshape(shape)

    def full_like(self, x: Any, value: Any, dtype: Any = None) -> Any:
        return self.cast(value, np.dtype(dtype or x.dtype))

    def zeros_like(self, x: Any, dtype: Any = None) -> Any:
        return self.full_like(x, 0, dtype)

    def ones_like(self, x: Any, dtype: Any = None) -> Any:
        return self.full_like(x, 1, dtype)

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        if not any(isinstance(part, Scalar) for part in (condition, x, y)):
            return np.where(condition, x, y)
        dtype = np.result_type(*(part.dtype if isinstance(part, Scalar) else part for part in (x, y)))
        chosen = [self.cast(condition, np.dtype(bool)), self.cast(x, dtype), self.cast(y, dtype)]
        return self.line(dtype, f"select({', '.join(part.name for part in chosen)})")

    def maximum(self, x: Any, y: Any) -> Any:
        return self.where((x < y) | _nan(y), y, x)

    def minimum(self, x: Any, y: Any) -> Any:
        return self.where((x > y) | _nan(y), y, x)

    def clip(self, x: Any, low: Any, high: Any) -> Any:
        return self.minimum(self.maximum(x, low), high)

    def abs(self, x: Any) -> Any:
        return self.absolute(x) if x.dtype.kind == "f" else self.where(x < 0, -x, x)

    def sign(self, x: Any) -> Any:
        return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)

    def isnan(self, x: Any) -> Any:
        return x != x if isinstance(x, Scalar) else np.isnan(x)

    def isfinite(self, x: Any) -> Any:
        return self.absolute(x) < np.inf

    def signbit(self, x: Any) -> Any:
        return self.less(self._bits(x), 0)

    def _bits(self, x: Any) -> Any:
        return self.line(f"i{x.dtype.itemsize}", f"bits({x.name})")

    # Division and shifts: what NumPy gives where the machine gives nothing.

    def floor_divide(self, x: Any, y: Any) -> Any:
        return self._divide_integers("{} // {}", x, y, lambda x: -x)

    def fmod(self, x: Any, y: Any) -> Any:
        if np.result_type(*(v.dtype for v in (x, y))).kind == "f":
            return self._ufunc("fmod", x, y)
        floored = self._divide_integers("{} % {}", x, y, lambda x: x * 0)
        return self.where((floored != 0) & ((x < 0) != (y < 0)), floored - y, floored)

    def _divide_integers(self, form: str, x: Any, y: Any, by_minus_one: Callable[[Any], Any]) -> Any:
        """Divide integers; by zero that gives 0. The least is too small for a division by -1."""
        dtype = np.result_type(*(v.dtype if isinstance(v, Scalar) else v for v in (x, y)))
        if dtype.kind not in "iu":
            raise Unrecordable(f"an integer quotient of {dtype}")
        x, y = self.cast(x, dtype), self.cast(y, dtype)
        zero, minus_one = y == 0, (y == -1) if dtype.kind == "i" else np.False_
        safe = self.where(zero | minus_one, 1, y)
        quotient = self.line(dtype, f"{dtype.name}({form.format(x.name, safe.name)})")
        return self.where(zero, 0, self.where(minus_one, by_minus_one(x), quotient))

    def left_shift(self, x: Any, amount: Any) -> Any:
        return self._shift("left_shift", x, amount, lambda x: x * 0)

    def right_shift(self, x: Any, amount: Any) -> Any:
        return self._shift("right_shift", x, amount, lambda x: self.where(x < 0, -1, 0).astype(x.dtype))

    def _shift(self, name: str, x: Any, amount: Any, beyond: Callable[[Any], Any]) -> Any:
        """Shift; an amount that is negative or at least the width shifts everything out."""
        width = 8 * x.dtype.itemsize
        if not isinstance(amount, Scalar) and 0 <= amount < width:
            return self._ufunc(name, x, amount)
        inside = (amount >= 0) & (amount < width)
        shifted = self._ufunc(name, x, self.where(inside, amount, 0))
        return self.where(inside, shifted, beyond(x))

    # Rounding.

    def divide_exactly(self, x: Any, y: Any) -> Any:
        return self.divide(x, y)

    def opaque(self, x: Any) -> Any:
        return x

    def round_to(self, x: Any, type: ElementType) -> Any:
        carrier = self.carrier(type)
        if type.name in ("f32", "f64"):
            return x.astype(carrier)
        wide = x.astype(np.float64) if carrier.itemsize == 8 else x
        return self.round_by_row(wide, type).astype(carrier)

    def on_grid(self, x: Any, mantissa: int, least: int) -> Any:
        """Round by adding half of what is cut off to the bits; near zero by adding a large number."""
        width = 23 if x.dtype.itemsize == 4 else 52
        if mantissa >= width:
            return x
        bits, cut = self._bits(x), width - mantissa
        odd: Any = (bits >> cut) & 1 if mantissa else 1  # without a mantissa there is the leading 1
        whole = (bits + (odd + ((1 << (cut - 1)) - 1))) & -(1 << cut)
        large = 1.5 * 2.0 ** (least + cut)
        tiny = self.copysign((self.absolute(x) + large) - large, x)
        normal = self.line(x.dtype, f"from_bits({whole.name})")
        return self.where(self.absolute(x) < 2.0**least, tiny, normal)


def _operand_type(x: Any) -> Any:
    """Return an operand's dtype, or a Python number's type, as NumPy resolves them."""
    return x.dtype if hasattr(x, "dtype") else type(x) if type(x) is not bool else np.dtype(bool)


def _nan(x: Any) -> Any:
    """Return where a number is NaN; a constant that is not one asks for no line of code."""
    return bool(x != x) if not isinstance(x, Scalar) else x != x if x.dtype.kind == "f" else False


def _on_constants(name: str, *operands: Any, **options: Any) -> Any:
    """Return what a function of NumPy gives for constants; of numbers there is no such line of code."""
    if any(isinstance(x, Scalar) for x in (*operands, *options.values())):
        raise Unrecordable(name)
    return getattr(np, name)(*operands, **options)
