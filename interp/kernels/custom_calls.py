"""custom_call: the targets that exporters write, and targets that a user has registered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, State
from interp.engine.callbacks import gives_nothing
from interp.engine.evaluate import Context
from interp.engine.prepared import directly
from interp.engine.registered import REGISTERED, results_of
from interp.kernels import checks, conversion, lapack
from spec.errors import Malformed, Unsupported
from spec.ir import Op
from spec.types import is_tensor


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
    **checks.CHECKS,
    **lapack.LAPACK_CALLS,
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
    """Return the call's tokens, its only results; `interp.execute.notes` reports that it is skipped."""
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
