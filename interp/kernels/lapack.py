"""The custom calls to LAPACK that JAX emits for linear algebra on a CPU, and the refusal of some of them."""

from __future__ import annotations

import re

from interp.backends import Array, State
from interp.backends.lapack import Call, misfit
from interp.engine.evaluate import Context
from interp.engine.facts import LAPACK
from spec.errors import Malformed
from spec.ir import Op

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
