"""Operations that are one operator each, where that gives the same bits; and means."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log2, prod

from interp.apps.litert.fixed_point import ratio, ratio32
from interp.apps.litert.writing.contractions import BITCAST, I32, QUANTIZE, activation
from interp.apps.litert.writing.walk import Walk, Written
from interp.apps.runtimes import litert_rules, litert_runtime, views
from interp.apps.runtimes.litert_graph import LitertGraph
from interp.apps.runtimes.litert_rules import OPERATORS, one, pairs, write_move
from interp.apps.runtimes.translation import Operand, Rule, need
from interp.engine.recipes import quantize_multiplier
from spec.ir import Op
from spec.multipliers import has_multipliers, multipliers_in
from spec.types import ELEMENT_TYPES, QuantizedType

F32 = ELEMENT_TYPES["f32"]
RECIPES = ("ADD", "SUB", "MUL")  # that the recipe `tflite_double` computes as the kernels do
OF_FLOATS = "ABS COS DIV EXP FLOOR CEIL LOG LOGISTIC NEG ROUND RSQRT SIN SQRT TANH".split()


def elementwise(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write an operator on quantized tensors that rounds as the program does, or on floats."""
    operator, options = OPERATORS[op.name.removeprefix("stablehlo.")]
    types = [*(x.type for x in operands), op.result.type]
    elements = [type.element_type for type in types]
    if all(element == F32 for element in elements):
        need(operator in (*RECIPES, *OF_FLOATS, "MAXIMUM", "MINIMUM"), "no operator that `load` reads")
    elif operator in RECIPES:
        need(all(isinstance(e, QuantizedType) and e.is_per_tensor for e in elements), "other types than i8")
        need({type.storage_type.name for type in types} == {"i8"}, "other types than i8")
    else:
        need(operator in ("MAXIMUM", "MINIMUM"), "LiteRT rounds it in another way")
        need(len(set(elements)) == 1, "operands and result of other parameters")
    return one(graph, operator, operands, op.result.type, options if operator in RECIPES else "")


def clamp(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MAXIMUM and MINIMUM of one type."""
    low, x, high = operands
    type = op.result.type
    need({v.type.element_type for v in operands} == {type.element_type}, "operands of other parameters")
    return one(graph, "MINIMUM", [one(graph, "MAXIMUM", [x, low], type), high], type)


def pad(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write PADV2, which cannot pad between elements or remove some."""
    x, value = operands
    low, high, interior = (list(op[n]) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    need(
        value.type.element_type == x.type.element_type == op.result.type.element_type,
        "padding of another type",
    )
    need(not any(interior) and min([*low, *high], default=0) >= 0, "interior or negative padding")
    return write_move(graph, "PADV2", x, [pairs(graph, low, high), value.handle], op.result.type.shape)


def reduce(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction that rounds nothing, or one of floats."""
    name = op.regions[0].ops[0].name.removeprefix("stablehlo.")
    if op.operands[0].type.is_quantized:
        need(name != "add", "SUM of LiteRT reads bytes as unsigned")
        need(name in ("maximum", "minimum"), f"quantized reductions by {name}")
    return litert_runtime.reduce(graph, op, operands)


def pool(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    name = op.regions[0].ops[0].name.removeprefix("stablehlo.")
    element = op.result.type.element_type
    need(name == "maximum" and (element == F32 or op.result.type.is_quantized), f"windows by {name}")
    seen, at = views.fold(op, operands), views.window(op)
    is_image = len(at.size) == 4 and at.is_trivial(0) and at.is_trivial(3)
    if not (is_image and seen.has_identity and set(at.dilations) <= {1}):
        return litert_runtime.pool_maxima(graph, op, seen)
    values = litert_runtime.window_options(at, [1, 2], 0, seen.x.type.shape)
    return graph.add("MAX_POOL_2D", [seen.x.handle], op.result.type, "Pool2DOptions", values)


def is_plain(rule: Rule) -> Rule:
    """Return a rule that refuses quantized operands."""

    def write(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
        need(not any(x.type.is_quantized for x in operands), "LiteRT rounds it in another way")
        return rule(graph, op, operands)

    return write


def dequantize(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(operands[0].type.storage_type != I32, "a sum that is kept")
    return litert_rules.real(graph, op, operands)


RULES: dict[str, Rule] = {
    **dict.fromkeys(OPERATORS, elementwise),
    **{name: rule for name, rule in litert_rules.MOVES.items() if name != "pad"},
    **{name: litert_rules.RULES[name] for name in (*litert_rules.LOGICAL, "select")},
    "clamp": clamp,
    "compare": is_plain(litert_rules.compare),
    "convert": is_plain(litert_rules.cast),
    "pad": pad,
    "reduce": reduce,
    "reduce_window": pool,
    "uniform_dequantize": dequantize,
}


def write_quantization(walk: Walk, op: Op) -> Written:
    """Write QUANTIZE, of integers too where the multiplier is LiteRT's; or RELU, if that follows."""
    x, type = walk.operand(op.operands[0]), op.result.type
    source = x.type.element_type
    walk.graph.hint = op.result.name.lstrip("%")
    if isinstance(source, QuantizedType):
        need(source.storage_type != I32, "a sum that is kept")
        scales = source.scale, type.quantized_element_type.scale
        if has_multipliers(op) and not _is(op, ratio(*scales)):
            name = activation(walk, op.result)
            need(bool(name) and _is(op, ratio32(*scales)), "other multipliers than LiteRT computes")
            last = walk.users[op.result.name][0]
            return one(walk.graph, name, [x], last.result.type), [op, last]
    return one(walk.graph, "QUANTIZE", [x], type), [op]


def _is(op: Op, real: float) -> bool:
    """Return whether an operation has the multiplier of a number, rounded twice."""
    given = multipliers_in(op)
    pair = quantize_multiplier(real, 30, op.location)
    return ((given.multipliers[0], given.shifts[0]), given.rounding) == (pair, "double")


def write_mean(walk: Walk, op: Op) -> Written | None:
    """Write MEAN of a sum whose units are divided by the number of terms; None where that does not follow.

    LiteRT divides the multiplier of 31 bits by the number of terms, and cuts. The program's multiplier must
    be that one: given, or by the types' scales, as that of 2^k terms is.
    """
    source, sums = op.operands[0].type, op.result.type
    after = walk.only_user(op.result)
    last = walk.only_user(after.result) if after and after.name == BITCAST else None
    if not (sums.is_quantized and source.is_quantized and after and last and last.name == QUANTIZE):
        return None
    init = walk.demand(op.operands[1], "an init value that is")
    points = op.operands[1].type.quantized_element_type.zero_points
    need(_adds(op) and init.tolist() == points[0], "a mean that begins with another number than 0")
    x, type = walk.operand(op.operands[0]), last.result.type
    wanted = _multiplier_of_mean(op, source.quantized_element_type.scale, type.quantized_element_type.scale)
    if has_multipliers(last):
        known = multipliers_in(last)
        own = known.multipliers[0], known.shifts[0]
        need(known.rounding == "double", "a mean that is rounded in another way")
    else:
        scales = after.result.type.quantized_element_type.scale, type.quantized_element_type.scale
        own = quantize_multiplier(ratio(*scales), 30, op.location)
    need(own == wanted, "LiteRT computes another multiplier of such a mean")
    axes = walk.graph.integers(list(op["dimensions"]))
    y = walk.graph.add("MEAN", [x.handle, axes], type, "ReducerOptions", {"keepDims": False})
    return y, [op, after, last]


def _adds(op: Op) -> bool:
    return len(op.regions[0].ops) == 2 and op.regions[0].ops[0].name == "stablehlo.add"


def _multiplier_of_mean(op: Op, source: float, target: float) -> tuple[int, int]:
    """Return the multiplier and shift that LiteRT computes for a mean."""
    count = prod(op.operands[0].type.shape[d] for d in op["dimensions"])
    multiplier, shift = quantize_multiplier(ratio(source, target), 30, op.location)
    if count < 2:
        return multiplier, shift
    more = min(floor(log2(count)), 32, 31 + shift)
    return (multiplier << more) // count, shift - more
