"""A guess at the values that hold infinities: those that an infinite constant, such as a mask's, reaches."""

from __future__ import annotations

import numpy as np

from interp.apps.quantization.folding import CONSTANT
from interp.apps.quantization.folding import array as elements
from interp.apps.quantization.kernels import is_float
from spec.ir import Func, Op

# Operations whose result may be infinite because an operand is; `exponential` of it is zero, as a rule, and a
# reduction mostly has one finite number to choose.
PASSING = {
    f"stablehlo.{name}"
    for name in (
        *("abs", "add", "divide", "maximum", "minimum", "multiply", "negate", "select", "subtract"),
        *("broadcast_in_dim", "concatenate", "convert", "dynamic_slice", "dynamic_update_slice", "gather"),
        *("pad", "reshape", "reverse", "scatter", "slice", "sort", "transpose"),
    )
}


def perhaps_infinite(func: Func) -> frozenset[int]:
    """Return, by number, the results of a function that an infinite constant reaches."""
    found: set[str] = set()
    for op in func.body.ops:
        if op.name == CONSTANT:
            reached = is_float(op.result) and _has_infinity(op)
        else:
            reached = op.name in PASSING and any(v.name in found for v in op.operands)
        if reached:
            found |= {v.name for v in op.results}
    returned = func.body.returns
    return frozenset(k for k, v in enumerate(returned) if v.name in found)


def _has_infinity(constant: Op) -> bool:
    data = elements(constant)
    if constant["value"].splat:
        data = data.reshape(-1)[:1]
    return bool(np.isinf(data if data.dtype == np.float64 else data.astype(np.float32)).any())
