"""Made-up devices that mistake scales per block: of hybrid and static products, and of scales as operands.

Each device is NumPy in f32, in the order of the program. A fault changes the tables that a device reads: it
maps the scales and the zero points of every element (lhs, rhs) to others, by the number of the block alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

Array = np.ndarray
K, BLOCK = 96, 32
COUNT = K // BLOCK
Place = Callable[[Array], Array]  # from positions along K to numbers of blocks


class Fault(NamedTuple):
    """A fault: of which block an element takes scale and zero point; or the other operand's scale, or 1."""

    name: str
    scale: Place | None
    point: Place
    exchanges: bool = False


def right(k: Array) -> Array:
    return k // BLOCK


def moved(by: int) -> Place:
    return lambda k: (k // BLOCK + by) % COUNT


def halved(k: Array) -> Array:
    return k // (BLOCK // 2) % COUNT


RIGHT = Fault("", right, right)
DROPPED = Fault("scales per block left out", None, right)
NEXT, BEFORE = (
    Fault(name, moved(by), right)
    for name, by in (("scale of the next block", 1), ("scale of the block before", -1))
)
OTHER = Fault("scales of the other operand", right, right, True)
HALVED = Fault("blocks half as long", halved, halved)
POINT, POINT_BEFORE = (
    Fault(name, right, moved(by))
    for name, by in (("zero point of the next block", 1), ("zero point of the block before", -1))
)


class Device(NamedTuple):
    """A program, its arguments, and a function from a fault to what the device gives."""

    program: str
    args: tuple[Array, ...]
    run: Callable[[Fault], Array]


def expand(table: Array, place: Place | None, axis: int) -> Any:
    """Return the parameters of every element along K; ones if scales are left out."""
    return np.take(table, place(np.arange(K)), axis) if place else np.float32(1)


def total(lhs: Array, rhs: Array) -> Array:
    """Return sums of products in f32, from the first to the last of the contracted dimension."""
    found = np.zeros((len(lhs), rhs.shape[1]), np.float32)
    for k in range(K):
        found = found + lhs[:, k : k + 1] * rhs[k]
    return found


def tables(rng: np.random.Generator, columns: int) -> tuple[Array, Array, str]:
    """Return scales, zero points and their text, of blocks along K and of every column."""
    scales = (rng.permutation(np.arange(20, 20 + COUNT * columns)) / 37).astype(np.float32)
    points = rng.permutation(np.arange(COUNT * columns) - 4)
    pairs = [f"{s!r}:{p}" for s, p in zip(scales.astype(float).tolist(), points.tolist(), strict=True)]
    rows = [f"{{{', '.join(pairs[k : k + columns])}}}" for k in range(0, len(pairs), columns)]
    return scales.reshape(COUNT, -1), points.reshape(COUNT, -1), f"{{{', '.join(rows)}}}"


def product(lhs: str, rhs: str, result: str) -> str:
    return f"""func.func @main(%x: {lhs}, %w: {rhs}) -> {result} {{
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({lhs}, {rhs}) -> {result}
      return %y : {result}
    }}"""


def hybrid(seed: int) -> Device:
    """Activations in f32, weights in i4 with a scale and a zero point for each 32 of each column."""
    rng = np.random.default_rng(seed)
    scales, points, text = tables(rng, 3)
    x, w = rng.standard_normal((4, K)).astype(np.float32), rng.integers(-8, 8, (K, 3)).astype(np.int8)

    def run(fault: Fault) -> Array:
        left = (w - expand(points, fault.point, 0)).astype(np.float32)
        return total(x, left * expand(scales, fault.scale, 0))

    weight = f"tensor<{K}x3x!quant.uniform<i4:f32:{{0:{BLOCK}, 1:1}}, {text}>>"
    return Device(product(f"tensor<4x{K}xf32>", weight, "tensor<4x3xf32>"), (x, w), run)


def static(seed: int) -> Device:
    """Both operands in i8 with scales for each 32, and sums stored in i32."""
    rng = np.random.default_rng(seed)
    scales, points, text = tables(rng, 3)
    others = (rng.permutation(np.arange(30, 30 + COUNT)) / 41).astype(np.float32)[None]
    x, w = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((4, K), (K, 3)))

    def run(fault: Fault) -> Array:
        sides = [expand(others, fault.scale, 1), expand(scales, fault.scale, 0)]
        if fault.exchanges:
            sides = [expand(scales, right, 0).T[[0, 1, 2, 0]], expand(others, right, 1).T]
        weights = (w - expand(points, fault.point, 0)).astype(np.float32)
        sums = total(x.astype(np.float32) * sides[0], weights * sides[1])
        return np.rint(sums / np.float32(0.25)).astype(np.int32)

    row = ", ".join(map(repr, others[0].astype(float).tolist()))
    lhs = f"tensor<4x{K}x!quant.uniform<i8:f32:{{1:{BLOCK}}}, {{{{{row}}}}}>>"
    rhs = f"tensor<{K}x3x!quant.uniform<i8:f32:{{0:{BLOCK}, 1:1}}, {text}>>"
    return Device(product(lhs, rhs, "tensor<4x3x!quant.uniform<i32:f32, 0.25>>"), (x, w), run)


def mx(seed: int, elements: str = "float8_e4m3fn", scale: str = "float8_e8m0fnu") -> Device:
    """`__op$block_scaled_dot`: elements of 8 bits, a power of two for each 32."""
    rng = np.random.default_rng(seed)
    a, b = (rng.standard_normal((n, K)).astype(ml_dtypes.__dict__[elements]) for n in (2, 3))
    s, t = (np.array([rng.permutation(np.arange(-4, 5))[:COUNT] for _ in range(n)]) for n in (2, 3))
    s, t = ((2.0**x).astype(ml_dtypes.__dict__[scale]) for x in (s, t))

    def run(fault: Fault) -> Array:
        sides = [expand(x.astype(np.float32), fault.scale, 1) for x in (s, t)]
        if fault.exchanges:
            sides = [sides[1][:2], sides[0][[0, 1, 0]]]
        lhs, rhs = (x.astype(np.float32) * y for x, y in zip((a, b), sides, strict=True))
        return total(lhs, rhs.T)

    names = {"float8_e4m3fn": "f8E4M3FN", "float4_e2m1fn": "f4E2M1FN", "float8_e8m0fnu": "f8E8M0FNU"}
    of = lambda n, m, type: f"tensor<{n}x{m}x{names[type]}>"
    types = [of(2, K, elements), of(3, K, elements), of(2, COUNT, scale), of(3, COUNT, scale)]
    head = ", ".join(f"%{k}: {type}" for k, type in zip("abst", types, strict=True))
    program = f"""func.func @main({head}) -> tensor<2x3xf32> {{
      %y = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %s, %t)
        : ({", ".join(types)}) -> tensor<2x3xf32>
      return %y : tensor<2x3xf32>
    }}"""
    return Device(program, (a, b, s, t), run)


COMPOSITE = f"""
!a = tensor<2x{K}xf8E4M3FN>
!b = tensor<{K}x3xf8E4M3FN>
!s = tensor<2x{COUNT}xf8E8M0FNU>
!t = tensor<{COUNT}x3xf8E8M0FNU>
!s1 = tensor<2x{COUNT}x1xf8E8M0FNU>
!s2 = tensor<2x{COUNT}x{BLOCK}xf8E8M0FNU>
!s3 = tensor<2x{K}xf8E8M0FNU>
!t1 = tensor<{COUNT}x1x3xf8E8M0FNU>
!t2 = tensor<{COUNT}x{BLOCK}x3xf8E8M0FNU>
!t3 = tensor<{K}x3xf8E8M0FNU>
!x = tensor<2x{K}xbf16>
!w = tensor<{K}x3xbf16>
!y = tensor<2x3xf32>
func.func @main(%a: !a, %b: !b, %s: !s, %t: !t) -> !y {{
  %y = stablehlo.composite "xla.scaled_dot" %a, %b, %s, %t {{composite_attributes = {{
    dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = f32}}, decomposition = @scaled}}
    : (!a, !b, !s, !t) -> !y
  return %y : !y
}}
func.func private @scaled(%a: !a, %b: !b, %s: !s, %t: !t) -> !y {{
  %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (!s) -> !s1
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (!s1) -> !s2
  %2 = stablehlo.reshape %1 : (!s2) -> !s3
  %3 = stablehlo.convert %a : (!a) -> !x
  %4 = stablehlo.convert %2 : (!s3) -> !x
  %5 = stablehlo.multiply %3, %4 : !x
  %6 = stablehlo.broadcast_in_dim %t, dims = [0, 2] : (!t) -> !t1
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (!t1) -> !t2
  %8 = stablehlo.reshape %7 : (!t2) -> !t3
  %9 = stablehlo.convert %b : (!b) -> !w
  %10 = stablehlo.convert %8 : (!t3) -> !w
  %11 = stablehlo.multiply %9, %10 : !w
  %12 = stablehlo.dot_general %5, %11, contracting_dims = [1] x [0] : (!x, !w) -> !y
  return %12 : !y
}}"""


def composite(seed: int) -> Device:
    """`xla.scaled_dot` as JAX writes it, with sums in f32: scaled elements are exact in bf16."""
    known = mx(seed)
    a, b, s, t = known.args
    return Device(COMPOSITE, (a, np.ascontiguousarray(b.T), s, np.ascontiguousarray(t.T)), known.run)
