"""Judgement in the integer reading: by runs, by intervals of results, or as the dequantize reading in f64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.engine.bodies import retype_function
from interp.engine.quant import in_f64, round_parameters
from interp.engine.requantizing import is_accumulator
from interp.engine.walk import walk
from interp.execute.run import run
from interp.questions.permitted.element_verdicts import EXACT, NOT_PERMITTED, PERMITTED, UNKNOWN
from interp.questions.permitted.possible import Known, Propagation, exactly
from interp.questions.permitted.results import Results, equal
from interp.speed.integer_bodies import FAR_FROM_THE_ENDS
from spec.accumulator import Accumulator, Reading
from spec.errors import Unsupported
from spec.integer_reading import CONTRACTIONS, PRODUCTS, has_equal_scales, in_integers, reads_integers
from spec.ir import Func, Module, Op, callees, nested_ops
from spec.multipliers import has_multipliers
from spec.readings import MOVES
from spec.recipes import EXACT as RECIPE
from spec.schedule import Schedule
from spec.types import QuantizedType

NEIGHBOUR = "every rescaling may go to either neighbour of the exact quotient"
OUTSIDE = "outside of [{}, {}], between which every rounding, and accumulators that wrap or saturate, stay"
NOT_KNOWN = "no run gives it, and it lies in [{}, {}], not all of which is known to be permitted"
BUT_GIVEN = "; the recipe {} gives it"
APART = "a run gives it, but none was found that gives it together with the others"
NO_NEIGHBOUR = "whether rescalings to a neighbour of the exact quotient give it is not known"
NOTHING = "no run gives it, and nothing is known of its bounds"


class Judgements(NamedTuple):
    """Verdicts on all elements in one row, the schedules that give them, and the evidence by place."""

    kinds: np.ndarray
    names: np.ndarray
    reasons: dict[int, tuple[str, str]]


def judgements(
    module: Module,
    func: Func,
    args: Sequence[np.ndarray],
    given: Results,
    trees: Sequence[Schedule],
    reading: Reading,
) -> tuple[Judgements, list[np.ndarray]]:
    """Return the verdicts, and the results of the first run."""
    runs = _runs(module, func, args, trees, reading)
    decoded = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(args, func.inputs, strict=True)]
    found = Propagation(module, reading)
    bounds = walk(found, func.body, [exactly(x) for x in decoded])
    kinds = np.full(int(given.starts[-1]), UNKNOWN, object)
    names = np.full(kinds.shape, "", object)
    same = [_same(given, outs) for _, _, outs in runs]
    by_count = lambda k: (runs[k][1], int(same[k].sum()))  # what has its own accumulator prevails
    for number in sorted(range(len(runs)), key=by_count):
        tree, own, _ = runs[number]
        kinds[same[number]], names[same[number]] = EXACT if own else PERMITTED, repr(tree)
    best = max(same, key=lambda x: int(x.sum()), default=kinds == EXACT)
    reasons = {}
    departs = reading.recipe != RECIPE and _uses_recipe(module, func, reading)
    for place in range(len(kinds)):
        ran = names[place] != ""
        if kinds[place] == UNKNOWN or (found.choices > 1 and not best[place]):
            kinds[place], reason = _by_bounds(given, place, bounds, ran)
            reasons[place] = kinds[place], reason
        elif departs:
            kind, reason = _by_bounds(given, place, bounds, ran)
            if kind != PERMITTED:
                kinds[place] = kind
                reason = NO_NEIGHBOUR if kind == UNKNOWN else reason
                reasons[place] = kind, reason + BUT_GIVEN.format(reading.recipe)
    first = runs[0][2] if runs else [np.asarray(x) for x in given.arrays]
    return Judgements(kinds, names, reasons), first


def _uses_recipe(module: Module, func: Func, reading: Reading) -> bool:
    """Return whether a recipe rescales integers, which may depart from neighbours of the exact quotient.

    It does not where the program gives the multipliers, nor where a sum is stored as it is.
    """
    names = [func.name, *callees(module, func.name)]
    return any(_is_rescaled(op, reading) for name in names for op in nested_ops(module[name].body))


def _is_rescaled(op: Op, reading: Reading) -> bool:
    if has_multipliers(op) or op.name == "stablehlo.compare":
        return False
    if op.regions:
        return len({round_parameters(type).scales for type in _quantized_types(op)}) > 1
    if not reads_integers(op, reading):
        return False
    if op.name in CONTRACTIONS:
        return not is_accumulator(op, reading.accumulator).all()
    return op.name in PRODUCTS or op.name == "stablehlo.uniform_quantize" or not has_equal_scales(op)


def _runs(
    module: Module, func: Func, args: Sequence[np.ndarray], trees: Sequence[Schedule], reading: Reading
) -> list[tuple[Schedule, bool, list[np.ndarray]]]:
    """Return runs under the schedules, with the accumulator both wrapping and saturating."""
    own, runs = reading.accumulator, []
    for accumulator in (own, Accumulator(own.bits, not own.saturates)):
        for tree in trees:
            other = reading._replace(accumulator=accumulator)
            try:
                outs = run(module, *args, reading=other, schedule=tree, function=func.name)
            except Unsupported:
                if accumulator == own:
                    raise
                continue
            runs.append((tree, accumulator == own, [out.storage for out in outs]))
    return runs


def _same(given: Results, outs: list[np.ndarray]) -> np.ndarray:
    pairs = zip(given.arrays, outs, strict=True)
    return np.concatenate([np.zeros(0, bool), *(equal(x, y).ravel() for x, y in pairs)])


def _by_bounds(given: Results, place: int, bounds: Sequence[Known], ran: bool) -> tuple[str, str]:
    """Return the verdict on one element by its interval; `ran` is true if some run has this result."""
    k, at = given.at(place)
    bound, x = bounds[k], given[place]
    if bound is None or x.dtype.kind not in "iu":
        return UNKNOWN, APART if ran else NOTHING
    low, high = (int(end.reshape(-1)[at]) for end in (bound.low, bound.high))
    if not low <= int(x) <= high:
        return NOT_PERMITTED, OUTSIDE.format(low, high)
    if bound.full:
        return PERMITTED, NEIGHBOUR
    return UNKNOWN, APART if ran else NOT_KNOWN.format(low, high)


# Programs whose integer reading equals the dequantize reading of the same program in f64.


def uniform(module: Module, func: Func) -> Module | None:
    """Return the program with the expressed type f64, or None if its results may be others.

    THEOREM: they do not, as in `interp/speed/integer_bodies.py`, if all scales of a function and its callees
    are equal, and every operation on quantized types is computed with integers in the integer reading and is
    not a product, or moves stored elements, or is a reduction by such a body.
    """
    names = [func.name, *callees(module, func.name)]
    ops = [op for name in names for op in nested_ops(module[name].body)]
    scales = {round_parameters(type).scales for op in ops for type in _quantized_types(op)}
    far = all(FAR_FROM_THE_ENDS[0] < scale < FAR_FROM_THE_ENDS[1] for each in scales for scale in each)
    if len(scales) != 1 or not far or not all(map(_is_uniform, ops)):
        return None
    retyped = lambda f: retype_function(f, in_f64) if f.body.ops else f
    functions = {name: retyped(f) for name, f in module.functions.items()}
    return replace(module, functions=functions)


def _is_uniform(op: Op) -> bool:
    types = [*_quantized_types(op)]
    if any(not type.is_per_tensor or not type.storage_type.is_integer for type in types):
        return False
    moves = op.name in MOVES
    return not types or moves or (in_integers(op) and op.name not in PRODUCTS)


def _quantized_types(op: Op) -> Iterator[QuantizedType]:
    arguments = [value for region in op.regions for value in region.arguments]
    for value in (*op.operands, *op.results, *arguments):
        if isinstance(value.type.element_type, QuantizedType):
            yield value.type.element_type
