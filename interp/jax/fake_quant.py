"""`fake_quant`: quantization in a float program, to train with and to be read back as quantization.

In JAX it computes `dequantize(quantize(x))` in floats, each step rounded as the specification says. Lowered,
it is a `stablehlo.composite "quant.fake_quant"`, with the attributes that Qwix writes and LiteRT reads, and
the quantized type as text.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp
from jax.custom_batching import custom_vmap

from interp.backends import fl
from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import round_parameters
from spec.errors import UNKNOWN, Malformed, Unsupported, short_text
from spec.quantized import storage_range
from spec.rules.constraint import violations
from spec.rules.quant_dialect import QUANTIZED_TYPE
from spec.types import QuantizedType, TensorType, element_type_of

NAME = "quant.fake_quant"
EXPRESSED = ("bf16", "f16", "f32", "f64")


def fake_quant(x: Any, type: QuantizedType | str) -> jax.Array:
    """Return `dequantize(quantize(x))`, with the bits of `interp.run` and a straight-through gradient.

    type: a quantized type or its text, `"!quant.uniform<i8:f32, 0.1>"`, per tensor, per axis or per block,
    whose expressed type is that of `x`. The gradient is 1 where x lies in the range of the type, its ends
    included, and else 0, as TensorFlow's. Subnormal results are as XLA computes them.

    Raises `Malformed` if x does not fit the type, and `Unsupported` for types whose steps floats do not hold.
    """
    given = jnp.asarray(x)
    element = element_type_of(type)
    if not isinstance(element, QuantizedType):
        raise Malformed(
            f"{short_text(type)} is not a quantized type", 'expected "!quant.uniform<i8:f32, 0.1>"'
        )
    _refuse(given, element)
    return _straight_through(element)(given)


def _refuse(x: jax.Array, type: QuantizedType) -> None:
    expressed = type.expressed_type
    if expressed.name not in EXPRESSED or not type.storage_type.is_integer:
        what = f"expected integers stored, and one of {', '.join(EXPRESSED)} expressed"
        raise Unsupported(f"fake_quant to {type!r}", what)
    if x.dtype != numpy_dtype(expressed):
        raise Malformed(
            f"x is {x.dtype}, and {type!r} expresses {expressed}", "convert x, or change the type"
        )
    if broken := violations(
        QUANTIZED_TYPE, TensorType(x.shape, type), "quantized_type", UNKNOWN, "mlir", "stablehlo"
    ):
        raise Malformed(f"no array of shape {x.shape} has the type {type!r}", str(broken[0]))
    most = max(abs(type.storage_min), abs(type.storage_max), *map(abs, type.zero_points))
    if any(type.zero_points) and most > 2**expressed.precision:
        what = f"{expressed} holds integers up to 2**{expressed.precision} alone; use the zero point 0"
        raise Unsupported(f"fake_quant to {type!r}", what)


def _straight_through(type: QuantizedType) -> Any:
    @jax.custom_jvp
    def fake(x: jax.Array) -> jax.Array:
        return _composite(type)(x)

    @fake.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (tangent,) = primals, tangents
        low, high = (_ends(type, bound, x) for bound in (type.storage_min, type.storage_max))
        return fake(x), jnp.where((x >= low) & (x <= high), tangent, jnp.zeros_like(tangent))

    return fake


def _composite(type: QuantizedType) -> Any:
    """Return the composite as a function, which JAX can batch: dimensions of the type then move by one."""
    function = lax.composite(partial(_decomposition, type), NAME)

    @custom_vmap
    def composite(x: jax.Array) -> jax.Array:
        return function(x, **_attributes(type))

    @composite.def_vmap
    def _(size: int, batched: Any, x: jax.Array) -> tuple[jax.Array, bool]:
        return _composite(_batch_type(type))(x), True

    return composite


def _batch_type(type: QuantizedType) -> QuantizedType:
    """Return the type of an array that has one more dimension in front."""
    if type.quantization_dimension is not None:
        return replace(type, quantization_dimension=type.quantization_dimension + 1)
    if type.block_sizes is not None:
        blocks = tuple((axis + 1, size) for axis, size in type.block_sizes)
        return replace(type, block_sizes=blocks, parameters_shape=(1, *type.parameters_shape))
    return type


def _attributes(type: QuantizedType) -> dict[str, Any]:
    """Return the attributes that Qwix writes, and the type, which alone is read here."""
    least, most = storage_range(type.storage_type)
    found: dict[str, Any] = {
        "dtype": type.spelling,
        "narrow_range": (type.storage_min, type.storage_max) == (least + 1, most),
        "scale": np.array(type.scales, np.float32),
        "quantized_type": repr(type),
    }
    if any(type.zero_points):
        found["zero_point"] = np.array(type.zero_points, np.int64)
    if type.quantization_dimension is not None:
        found["quantization_dimension"] = type.quantization_dimension
    return found


def _decomposition(type: QuantizedType, x: jax.Array, **attributes: Any) -> jax.Array:
    """Return the quantized x, dequantized, by float operations that XLA keeps."""
    wide = jnp.float64 if type.expressed_type.name == "f64" else jnp.float32
    scale, zero_point = (
        _spread(values, type, x, wide) for values in (round_parameters(type).scales, type.zero_points)
    )
    low, high = round_parameters(type).bounds
    divided = _round_to(x.astype(wide) / lax.optimization_barrier(scale), type)
    moved = _round_to(divided + zero_point, type) if any(type.zero_points) else divided
    nearest = lax.round(jnp.clip(moved, low, high), lax.RoundingMethod.TO_NEAREST_EVEN)
    of_nan = float(min(max(0, type.storage_min), type.storage_max))
    whole = jnp.where(jnp.isnan(nearest), of_nan, nearest).astype(
        jnp.uint32 if type.storage_type.kind == "unsigned" else jnp.int32
    )
    stored = _round_to(whole.astype(wide), type)  # no zero is negative
    difference = _round_to(stored - zero_point, type) if any(type.zero_points) else stored
    return _barrier(_round_to(difference * scale, type)).astype(x.dtype)


def _ends(type: QuantizedType, bound: int, x: jax.Array) -> jax.Array:
    """Return the real numbers that a bound of the storage stands for."""
    scales = round_parameters(type).scales
    pairs = zip(type.zero_points, scales, strict=True)
    reals = [fl(fl(bound - z, type.expressed_type) * s, type.expressed_type) for z, s in pairs]
    return _spread(reals, type, x, x.dtype)


def _spread(values: Any, type: QuantizedType, x: jax.Array, dtype: Any) -> jax.Array:
    """Return parameters of the type as an array of the shape of x."""
    table = np.array(values, np.float64)
    if type.quantization_dimension is not None:
        table = table.reshape([-1 if d == type.quantization_dimension else 1 for d in range(x.ndim)])
    elif type.block_sizes is not None:
        table, blocks = table.reshape(type.parameters_shape), dict(type.block_sizes)
        for axis, size in enumerate(x.shape):
            table = np.repeat(table, blocks.get(axis, size), axis=axis)
    else:
        table = table.reshape(())
    return jnp.broadcast_to(jnp.asarray(table.astype(dtype)), x.shape)


def _round_to(x: jax.Array, type: QuantizedType) -> jax.Array:
    """Round f32 to the expressed type; return numbers that have this type unchanged."""
    if type.expressed_type.name not in ("bf16", "f16"):
        return x
    return lax.reduce_precision(x, type.expressed_type.exponent, type.expressed_type.mantissa)


def _barrier(x: jax.Array) -> jax.Array:
    """Return x, hidden behind a minimum of bits so that LLVM does not fuse it with a later sum."""
    integer = np.dtype(f"int{8 * x.dtype.itemsize}")
    nan = np.asarray(np.nan, x.dtype).view(integer)  # as signed integers, all numbers are below
    return lax.bitcast_convert_type(jnp.minimum(lax.bitcast_convert_type(x, integer), nan), x.dtype)
