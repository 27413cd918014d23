"""Float functions that composites stand for: the attribute `interp.float` of a composite names one.

The decomposition of a composite may be arithmetic on stored integers, such as a softmax in fixed point, which
does not tell what it is an approximation of. Whoever writes it says so: `interp.float = @name`, a function of
the expressed types in the order of operands and results. A run does not look at it. The float reference has
this function in place of the decomposition.
"""

from __future__ import annotations

from spec.attributes import Symbol
from spec.ir import Module, Op

NAME = "interp.float"


def twin_of(op: Op) -> str:
    """Return the name of the float function that a composite stands for, or ""."""
    symbol = op.attributes.get(NAME)
    return symbol.name if op.name == "stablehlo.composite" and isinstance(symbol, Symbol) else ""


def twin_in(module: Module, op: Op) -> str:
    """Return the name of the float function of a composite, or "" if the module does not have it."""
    name = twin_of(op)
    return name if name and name in module.functions else ""
