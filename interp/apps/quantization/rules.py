"""`RULES`: the function that materializes each operation of a region, by name; None leaves it in float."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from interp.apps.quantization.forms import Forms
from interp.apps.quantization.rules_addition import add, subtract
from interp.apps.quantization.rules_contraction import contraction
from interp.apps.quantization.rules_elementwise import bounded, divide, multiply, waiting
from interp.apps.quantization.rules_movement import joined, moved
from interp.apps.quantization.rules_reduction import reduction, select_and_scatter
from interp.apps.quantization.symbols import Symbol
from spec.ir import Op

Rule = Callable[[Forms, Op, Sequence[Symbol]], Sequence[Symbol] | None]
MOVING = "broadcast_in_dim reshape transpose slice reverse gather dynamic_slice".split()
JOINING = "concatenate pad select dynamic_update_slice".split()
ELEMENTWISE = (
    "abs atan2 cbrt ceil cosine divide exponential exponential_minus_one floor log log_plus_one logistic"
    " maximum minimum multiply negate power remainder round_nearest_afz round_nearest_even rsqrt sign sine"
    " sqrt subtract add tan tanh"
).split()


def _all(names: Iterable[str], rule: Rule) -> dict[str, Rule]:
    return {f"stablehlo.{name}": rule for name in names}


RULES: dict[str, Rule] = (
    _all(ELEMENTWISE, waiting)
    | _all(MOVING, moved)
    | _all(JOINING, joined)
    | _all(("maximum", "minimum", "clamp"), bounded)
    | _all(("dot_general", "convolution"), contraction)
    | _all(("reduce", "reduce_window"), reduction)
    | _all(["select_and_scatter"], select_and_scatter)
    | _all(["add"], add)
    | _all(["subtract"], subtract)
    | _all(["multiply"], multiply)
    | _all(["divide"], divide)
)
