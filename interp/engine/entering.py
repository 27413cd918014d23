"""Requantization from one type to another: where reductions convert, and in `uniform_quantize`."""

from __future__ import annotations

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.evaluate import Context
from interp.engine.in_integers import integers, scales, store
from interp.engine.memo import once
from interp.engine.quant import Type, to_destination_type
from interp.engine.recipes import Requantize, Rescaling, requantization
from spec.errors import UNKNOWN, Location
from spec.recipe_scope import conversion_error
from spec.recipes import EXACT
from spec.types import QuantizedType


def entering(ctx: Context, x: Array, source: Type, destination: Type) -> Array:
    """Requantize elements in integers, where a reduction converts its operands or its results."""
    both = isinstance(source, QuantizedType) and isinstance(destination, QuantizedType)
    if not (ctx.reading.is_integer and both):
        return to_destination_type(ctx.xp, x, source, destination)
    return requantize_elements(ctx.xp, x, source, destination, ctx.reading.recipe)  # type: ignore[arg-type]


def requantize_elements(
    xp: Namespace, x: Array, source: QuantizedType, destination: QuantizedType, recipe: str = EXACT
) -> Array:
    """Return the elements stored in another type, by a recipe where the scales differ."""
    if source == destination:
        return x
    m = integers(xp, x, source)
    same = _equal_scales(source, destination, tuple(x.shape))
    if same.all():
        return store(xp, m, destination)
    requantize = between(source, destination, recipe, tuple(x.shape))
    found = requantize(xp, m)
    return xp.where(xp.asarray(same), store(xp, m, destination), found) if same.any() else found


@once
def between(
    source: QuantizedType,
    destination: QuantizedType,
    recipe: str,
    shape: tuple[int, ...],
    where: Location = UNKNOWN,
    kernel: str = "",
) -> Requantize:
    """Return the function from integers `q - zero_point` of a type to elements stored in another."""
    if error := conversion_error(recipe, source, destination, where):
        raise error
    bits = source.storage_type.bits
    by = scales(source, shape), scales(destination, shape), destination
    return requantization(recipe, Rescaling((by[0],), *by[1:], bits, bits, kernel, where))


@once
def _equal_scales(source: QuantizedType, destination: QuantizedType, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(scales(source, shape) == scales(destination, shape), bool)
