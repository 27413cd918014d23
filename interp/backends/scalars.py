"""Numbers without a value: what the kernels compute with while their code is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

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
