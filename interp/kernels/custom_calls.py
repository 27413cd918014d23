"""custom_call: the targets that exporters write, checks, LAPACK's routines, and a user's own targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.backends.lapack import Call, misfit
from interp.engine.evaluate import Context
from interp.engine.facts import LAPACK
from interp.engine.prepared import directly
from interp.engine.processes import ALONE
from interp.engine.quant import complex_parts
from interp.engine.registry import REGISTERED, gives_nothing, results_of
from interp.kernels import conversion
from spec.errors import Finding, Malformed, Unsupported
from spec.ir import Op
from spec.op_attributes import maximal, minimal, probe_value, tolerance
from spec.types import ElementType, complex_part, is_tensor

# Checks within a program: custom calls that compare a value with the expected one.

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


# The custom calls to LAPACK that JAX emits for linear algebra on a CPU, and the refusal of some of them.

_ATTRIBUTE = re.compile(r"(\w+) = (-?\d+) : \w+")


def call_lapack(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of the routine that the target names, with the attributes of `backend_config`."""
    stored = [ctx.xp.encode(x, v.type.storage_type) for x, v in zip(operands, op.operands, strict=True)]
    call = Call(op["call_target_name"], attributes(op), [v.type for v in op.results])
    if wrong := misfit(call, [v.type for v in op.operands]):
        raise _malformed_error(op, wrong)
    try:
        results = ctx.xp.lapack(call, stored)
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise _malformed_error(op, f"operands or results that do not fit: {error}") from None
    return tuple(ctx.xp.decode(x, v.type.storage_type) for x, v in zip(results, op.results, strict=True))


def _malformed_error(op: Op, wrong: str) -> Malformed:
    expected = f"expected its arguments and types as jax.export writes them, got {op!r}"
    return Malformed(f"custom_call @{op['call_target_name']} has {wrong}", expected, op.location)


def attributes(op: Op) -> dict[str, int]:
    """Return the numbers in `mhlo.backend_config = {uplo = 76 : ui8}`; characters are their codes."""
    found = op.attributes.get("mhlo.backend_config")
    if found is None:
        raise Malformed(
            f"custom_call @{op['call_target_name']} has no mhlo.backend_config",
            "expected a dictionary of its arguments, as jax.export writes it",
            op.location,
        )
    return {name: int(value) for name, value in _ATTRIBUTE.findall(repr(found))}


LAPACK_CALLS = dict.fromkeys(LAPACK, call_lapack)


def identity(ctx: Context, op: Op, *operands: Array) -> State:
    """`results = operands`."""
    return operands


def shape_assertion(ctx: Context, op: Op, holds: Array, *sizes: Array) -> State:
    """Raise `Malformed` with the exporter's message if its condition on argument sizes does not hold."""
    target = op["call_target_name"]
    if not ctx.xp.values(holds, target):
        message = op.attributes.get("error_message")
        if not isinstance(message, str):
            message = "an assertion on the arguments' shapes does not hold"
        for k, size in enumerate(sizes):
            message = message.replace(f"{{{k}}}", str(int(ctx.xp.values(size, target))))
        raise Malformed(message, "expected arguments of the shapes that were exported", op.location)
    return ()


TARGETS: dict[str, Callable[..., State]] = {
    **{target: directly(prepare) for target, prepare in conversion.CUSTOM_CALLS.items()},
    **CHECKS,
    **LAPACK_CALLS,
    "Sharding": identity,
    "annotate_device_placement": identity,
    "shape_assertion": shape_assertion,
}


def custom_call(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of the function that `call_target_name` names."""
    if error := refusal(op):
        raise error
    target = op["call_target_name"]
    if target in REGISTERED:
        return call_registered(ctx, op, *operands)
    return skip(ctx, op, *operands) if gives_nothing(op) else TARGETS[target](ctx, op, *operands)


def skip(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the call's tokens, its only results; `interp.execute.unused` reports that it is skipped."""
    return ((),) * len(op.results)


def call_registered(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of a user's function on stored elements; tokens are added to its results."""
    xp = ctx.xp
    given = [(x, v.type) for x, v in zip(operands, op.operands, strict=True) if is_tensor(v.type)]
    stored = tuple(xp.encode(x, type.storage_type) for x, type in given)
    types = [value.type for value in op.results if is_tensor(value.type)]
    results = iter(xp.callback(lambda *arrays: results_of(op, arrays), types, stored))
    return tuple(
        xp.decode(next(results), v.type.storage_type) if is_tensor(v.type) else () for v in op.results
    )


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why the target of a custom call cannot run, or None."""
    target = op["call_target_name"]
    if target in TARGETS or target in REGISTERED or gives_nothing(op):
        return None
    advice = f"give it a meaning: interp.register({target!r}, function)"
    if "callback" in target:
        advice = f"the file does not hold the Python function that it calls\n{advice}"
    return Unsupported(f"custom_call @{target} is not known", advice, op.location)


KERNELS: dict[str, Callable[..., Any]] = {"stablehlo.custom_call": custom_call}
