"""JAX's custom calls to Python functions, such as `jax.debug.print`; a file does not hold the function."""

from __future__ import annotations

from spec.ir import Op
from spec.types import is_tensor

CALLBACKS = frozenset(
    f"xla{ffi}_python_{device}_callback"
    for ffi in ("", "_ffi", "_ffi_partitioned")
    for device in ("cpu", "gpu")
)


def gives_nothing(op: Op) -> bool:
    """Return whether an operation is a callback whose results are only tokens, so that it may be skipped."""
    is_callback = op.name == "stablehlo.custom_call" and op["call_target_name"] in CALLBACKS
    return is_callback and not any(is_tensor(value.type) for value in op.results)
