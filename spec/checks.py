"""Limits of the checks in a program, which are attributes of custom calls.

The defaults are those of StableHLO's interpreter for custom calls, wider than those of its check dialect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spec.errors import Malformed
from spec.ir import Op, Opaque

# The custom calls that compare two values; those named `_const` take the second from their attribute `value`.
TARGETS = {
    "check.eq",
    "check.expect_almost_eq",
    "check.expect_almost_eq_const",
    "check.expect_close",
    "check.expect_eq",
    "check.expect_eq_const",
}


def tolerance(op: Op) -> float:
    """Return the largest difference that `check.expect_almost_eq` or `check.eq` accepts."""
    return _number(op, "tolerance", 1e-4 if op["call_target_name"] == "check.eq" else 1e-3)


def maximal(op: Op) -> float:
    """Return the largest difference in units in the last place that `check.expect_close` accepts."""
    return _number(op, "max_ulp_difference", 3)


def minimal(op: Op) -> float:
    """Return the least difference in units in the last place that `check.expect_close` accepts."""
    return _number(op, "min_ulp_difference", 0)


def probe_value(op: Op, values: Mapping[str, Sequence[Any]]) -> Any:
    """Return the value that this check's probe saw, the first or number `iter`, or raise `Malformed`."""
    name = op.attributes.get("probe_id", "")
    seen, turn = values.get(name, ()), int(_number(op, "iter", _number(op, "iteration", 0)))
    if not 0 <= turn < len(seen):
        verdict = f"no value {turn} of the probe {name!r}"
        raise Malformed(verdict, f"probes that ran before: {', '.join(values) or 'none'}", op.location)
    return seen[turn]


def _number(op: Op, name: str, default: float) -> float:
    """Return an attribute as a number: `0.1 : f64`, `3 : ui64`."""
    given = op.attributes.get(name, default)
    text = given.text.partition(":")[0] if isinstance(given, Opaque) else given
    try:
        return float(text)
    except (TypeError, ValueError):
        raise Malformed(f"{name} is {given!r}", "expected a number", op.location) from None
