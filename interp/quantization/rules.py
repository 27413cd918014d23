"""How each operation of a region acts on symbols: `RULES`, by its name; None leaves it in float."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interp.quantization.forms import Forms
from interp.quantization.rules_addition import add, subtract
from interp.quantization.rules_contraction import contraction
from interp.quantization.rules_elementwise import bounded, divide, multiply, waiting
from interp.quantization.rules_movement import joined, moved
from interp.quantization.rules_reduction import reduction, select_and_scatter
from interp.quantization.symbols import Symbol
from spec.ir import Op

Rule = Callable[[Forms, Op, Sequence[Symbol]], Sequence[Symbol] | None]
MOVING = "broadcast_in_dim reshape transpose slice reverse gather dynamic_slice".split()
JOINING = "concatenate pad select dynamic_update_slice".split()
ELEMENTWISE = (
    "abs atan2 cbrt ceil cosine divide exponential exponential_minus_one floor log log_plus_one logistic"
    " maximum minimum multiply negate power remainder round_nearest_afz round_nearest_even rsqrt sign sine"
    " sqrt subtract add tan tanh"
).split()
WAITING = {f"stablehlo.{name}" for name in ELEMENTWISE}
RULES: dict[str, Rule] = (
    dict.fromkeys(WAITING, waiting)
    | {f"stablehlo.{name}": moved for name in MOVING}
    | {f"stablehlo.{name}": joined for name in JOINING}
    | {f"stablehlo.{name}": bounded for name in ("maximum", "minimum", "clamp")}
    | {
        "stablehlo.add": add,
        "stablehlo.subtract": subtract,
        "stablehlo.multiply": multiply,
        "stablehlo.divide": divide,
        "stablehlo.dot_general": contraction,
        "stablehlo.convolution": contraction,
        "stablehlo.reduce": reduction,
        "stablehlo.reduce_window": reduction,
        "stablehlo.select_and_scatter": select_and_scatter,
    }
)
