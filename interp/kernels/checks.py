"""Checks within a program: custom calls that compare a value with the expected one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.processes import ALONE
from interp.engine.quant import complex_parts
from spec.checks import maximal, minimal, probe_value, tolerance
from spec.errors import Finding
from spec.ir import Op
from spec.types import ElementType, complex_part

Difference = Callable[[Context, Op, Array, Array], tuple[Array, Array]]
_SHOWN = 3  # elements that an error lists


def differing(ctx: Context, op: Op, actual: Array, expected: Array) -> tuple[Array, Array]:
    """Return where two tensors differ as numbers, and by how much: NaN equals nothing, -0 equals +0."""
    xp, type = ctx.xp, op.operands[0].type.storage_type
    if type.kind == "boolean":
        return actual != expected, (actual != expected) * 1.0
    size = xp.abs(xp.asarray(actual, _wide(xp, type)) - xp.asarray(expected, _wide(xp, type)))
    return actual != expected, size


def beyond_tolerance(ctx: Context, op: Op, actual: Array, expected: Array) -> tuple[Array, Array]:
    """Return where the parts of two tensors differ: neither equal, nor both NaN, nor within `tolerance`."""
    xp, type = ctx.xp, op.operands[0].type.storage_type
    wrong = xp.zeros(actual.shape, bool)
    size = xp.zeros(actual.shape, xp.float64)
    for a, b in _parts(xp, actual, expected, type):
        apart = xp.abs(a.astype(xp.float64) - b.astype(xp.float64))
        alike = (a == b) | (xp.isnan(a) & xp.isnan(b))
        wrong = wrong | ~(alike | (xp.isfinite(a) & xp.isfinite(b) & (apart <= tolerance(op))))
        size = xp.maximum(size, xp.where(alike, 0.0, apart))
    return wrong, size


def unlike(ctx: Context, op: Op, actual: Array, expected: Array) -> tuple[Array, Array]:
    """Return where floats differ by more than `tolerance`, and where other elements differ."""
    is_float = op.operands[0].type.storage_type.kind in ("float", "complex")
    return (beyond_tolerance if is_float else differing)(ctx, op, actual, expected)


def beyond_ulps(ctx: Context, op: Op, actual: Array, expected: Array) -> tuple[Array, Array]:
    """Return where the numbers are not `min_ulp_difference` to `max_ulp_difference` steps apart."""
    xp, type = ctx.xp, op.operands[0].type.storage_type
    part = complex_part(type) if type.kind == "complex" else type
    size = xp.zeros(actual.shape, xp.float64)
    for a, b in _parts(xp, actual, expected, type):
        finite = xp.isfinite(a) & xp.isfinite(b)
        x, y = (_from_zero(xp, each, part) for each in (a, b))
        steps = xp.where(finite, xp.abs(x - y).astype(xp.float64), xp.inf)
        size = xp.maximum(size, xp.where((x == y) | (xp.isnan(a) & xp.isnan(b)), 0.0, steps))
    return (size < minimal(op)) | (size > maximal(op)), size


def _from_zero(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return how many numbers of the type lie between 0 and x, with the sign of x."""
    bits = xp.to_bits(x, type).astype(xp.int64 if type.bits < 64 else xp.uint64)
    sign = 1 << (type.bits - 1)
    if type.bits < 64:
        return xp.where(bits >= sign, sign - bits, bits)
    magnitude = (bits & (sign - 1)).astype(xp.int64)
    return xp.where(bits >= sign, -magnitude, magnitude)


def _parts(xp: Namespace, a: Array, b: Array, type: ElementType) -> list[tuple[Array, Array]]:
    """Return pairs of real arrays: the real and the imaginary parts of complex numbers."""
    if type.kind != "complex":
        return [(a, b)]
    return list(zip(complex_parts(xp, a, type), complex_parts(xp, b, type), strict=True))


def _wide(xp: Namespace, type: ElementType) -> Any:
    return xp.complex128 if type.kind == "complex" else xp.float64


def expect(difference: Difference, unit: str = "") -> Callable[..., State]:
    """Return the kernel that raises `Finding` where two tensors differ."""

    def check(ctx: Context, op: Op, actual: Array, *second: Array) -> State:
        actual = ctx.xp.values(actual, op["call_target_name"])
        expected = ctx.xp.values(second[0] if second else _expectation(ctx, op), op["call_target_name"])
        wrong, size = difference(ctx, op, actual, expected)
        if wrong.any():
            raise _finding(ctx, op, (actual, expected), wrong, size, unit)
        return tuple(ctx.xp.ones(v.type.shape, bool) for v in op.results)

    return check


def _expectation(ctx: Context, op: Op) -> Array:
    """Return the value that a probe saw, or the constant in the attribute `value`."""
    if "probe_id" in op.attributes:
        return probe_value(op, ctx.process.probed)
    value, type, xp = op["value"], op.operand.type, ctx.xp
    return xp.constant(value.data, type.storage_type, type.shape, value.splat)


def _finding(
    ctx: Context, op: Op, pair: tuple[Array, Array], wrong: Array, size: Array, unit: str
) -> Finding:
    """Return the error that says where, by how much and at how many elements two tensors differ."""
    xp, type = ctx.xp, op.operands[0].type.storage_type
    actual, expected = (xp.encode(x, type) for x in pair)
    places = xp.argwhere(wrong)
    worst = tuple(places[int(xp.argmax(size[wrong]))])
    lines = [
        f"at {list(map(int, at))}: got {actual[tuple(at)]}, expected {expected[tuple(at)]}"
        for at in places[:_SHOWN]
    ]
    if len(places) > 1:
        lines.append(f"the worst at {list(map(int, worst))}: apart by {float(abs(size[worst])):.6g}{unit}")
    count = f"{len(places)} of {actual.size}"
    verdict = f"{op['call_target_name']} does not hold: {count} elements differ"
    return Finding(verdict, "\n".join(lines), op.location)


def probe(ctx: Context, op: Op, operand: Array) -> State:
    """`result = operand`, which is kept for later checks of the same run."""
    if ctx.process is not ALONE:
        ctx.process.probed.setdefault(op.attributes.get("probe_id", ""), []).append(operand)
    return (operand,)[: len(op.results)]


CHECKS: dict[str, Callable[..., State]] = {
    "check.eq": expect(unlike),
    "check.expect_eq": expect(differing),
    "check.expect_eq_const": expect(differing),
    "check.expect_almost_eq": expect(beyond_tolerance),
    "check.expect_almost_eq_const": expect(beyond_tolerance),
    "check.expect_serialized_eq": expect(differing),
    "check.expect_close": expect(beyond_ulps, " units in the last place"),
    "interpreter.print": probe,
    "interpreter.probe": probe,
}
