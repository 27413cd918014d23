"""Rounding of products and sums in loops that numba compiles, and variants of such loops for each type.

numba neither reorders nor contracts floats unless `fastmath` asks for it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np

from interp.backends.compiling import OPTIONS, jit_cached

jit: Any = numba.njit
callable_too: Any = jit(**OPTIONS)  # by Python, as functions that are `inlined` are not
f32, u32 = np.float32, np.uint32
LEAST_POWER, MOST_POWER = u32(0x38800000), u32(0x47800000)  # the bits of 2^-14 and 2^16


def _same(x: Any) -> Any:
    """Return a float of the carrier, which hardware has rounded; narrower types have another `fl`."""
    return x


def _bf16(x: Any) -> Any:
    """Round an f32 to bf16, the upper half of its bits, nearest even; a NaN of bf16 stays what it is."""
    bits = f32(x).view(u32)
    return u32((bits + u32(0x7FFF) + ((bits >> u32(16)) & u32(1))) & u32(0xFFFF0000)).view(f32)


def _f16(x: Any) -> Any:
    """Round an f32 to f16 by adding, then subtracting, a number whose last place is that of the result.

    From 2^16 on a product with 2^112 is infinite. A zero may lose its sign, which no sum keeps.
    """
    power = f32(x).view(u32) & u32(0x7F800000)
    power = min(max(power, LEAST_POWER), MOST_POWER)
    away = u32(power).view(f32) * f32(3 * 2**12)
    return (((x + away) - away) * f32(2.0**112)) * f32(2.0**-112)


fl, _to_bf16, _to_f16 = (callable_too(f) for f in (_same, _bf16, _f16))
ROUNDING = {"f32": fl, "f64": fl, "bf16": _to_bf16, "f16": _to_f16}


def variant_of(function: Any, name: str, names: dict[str, Any], compiler: Any = jit_cached) -> Any:
    """Return a function compiled with other meanings of some of its global names.

    Its name tells compiled code on disk apart, as all of that name have the same meanings here.
    """
    variant = FunctionType(
        function.__code__, {**function.__globals__, **names}, f"{function.__code__.co_name}_{name}"
    )
    variant.__module__, variant.__qualname__ = function.__module__, variant.__name__
    return compiler(variant, f"{variant.__name__} {text()}")


@cache
def text() -> str:
    """Return the source of all modules that a loop may call into: those beside this one."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
