"""Verdicts and bounds of any reduction; those of a sum along an accumulation are about its nodes.

Its verdict says whether the result is what the declared sum gives, and its bounds are those of the numbers
that each type of its nodes must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.evaluate import Context
from interp.engine.markup import align, join_lines
from interp.engine.prepared import function_of
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, storage_range, zero_point
from interp.engine.work import Progress, Work, beat
from interp.execute.along import alike_elements
from interp.kernels import OPERATIONS, collectives
from interp.questions import bounds as ordinary_bounds
from interp.questions import verdicts as ordinary_verdicts
from interp.questions.bounds import LATE, Bound, Bounds, Suggestion, headrooms
from interp.questions.steps import Steps, any_data
from interp.questions.verdicts import ALTERED, UNJUDGED, UNKNOWN, Verdicts
from interp.recorder.recorded import Reduction
from interp.theory.along import (
    DATA,
    INPUTS,
    ROUNDS,
    TOO_WIDE,
    WEIGHTS,
    WIDEST,
    Held,
    Needed,
    along,
    bits,
    held_by,
    holds,
    leaves_along,
    point,
    spread_out,
)
from interp.theory.contractions import Factor, bounded_factor, constant_factor, exact_products, windows
from interp.theory.sums import Ends, ends_of, integer_dtype
from spec.errors import Unsupported
from spec.trees import Arithmetic
from spec.types import ElementType, QuantizedType
from spec.verdict import SAFE

# Whether the results are those of the declared sum.


def verdicts(
    reduction: Reduction, seconds: float | None = None, progress: Progress | None = None
) -> Verdicts:
    """Return the verdicts on all elements, or on none if there is no time; progress counts leaves."""
    if reduction.by_blocks:
        return _verdicts_on_blocks(reduction, Work(seconds, progress))
    if reduction.along is None:
        return ordinary_verdicts.verdicts(reduction, seconds, progress)
    work = Work(seconds, progress)
    kinds = work.whole("elements", reduction.size, lambda: _kinds(reduction))
    if kinds is None:
        kinds = np.full(reduction.shape, UNJUDGED)
    return AlongVerdicts(reduction, kinds, covered=tuple(work.covered))


class AlongVerdicts(Verdicts):
    """Verdict on each result of a sum along an accumulation: "safe", "different" or "unknown".

    It is "safe" if every schedule of the declared type gives the same, "different" if none does, and
    "unknown" where schedules of the declared type differ, or no theorem says that they do not.
    """

    @property
    def meanings(self) -> dict[str, str]:
        one = " with one init value" if self.reduction.sums_inits else ""
        declared = f"schedule of the declared type{one} gives this result"
        other = {SAFE: f"every {declared}", ALTERED: f"no {declared}", UNKNOWN: ASK}
        return super().meanings | other


ASK = "schedules of the declared type differ, or may: ask `permits`"


def _kinds(reduction: Reduction) -> Array:
    """Return the verdicts on a sum along an accumulation.

    THEOREM: plain integers have one sum in every schedule, as they wrap; so have other numbers where no
    schedule of the declared type loses anything, whose verdict is "safe".
    """
    assert reduction.along
    declared = reduction.along.declared
    found = ordinary_verdicts.verdicts(declared)  # type: ignore[arg-type]
    (type,) = declared.types
    wraps = declared.is_sum and isinstance(type, ElementType) and type.is_integer
    known = (found.kinds == SAFE) | (wraps & (found.kinds != UNKNOWN))
    if not known.any():
        return np.full(reduction.shape, UNKNOWN)
    same = _is_same(declared_result(reduction), np.asarray(reduction.results[0]))
    return np.where(known, np.where(same, SAFE, ALTERED), UNKNOWN)


def _is_same(a: Array, b: Array) -> Array:
    """Return where two arrays of a type have the same numbers, or both NaN."""
    if a.dtype.kind in "iub":
        return a == b
    a, b = (np.asarray(x).astype(np.float64) for x in (a, b))
    return (np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b)))


def declared_result(reduction: Reduction) -> Array:
    """Return the stored result of the same operands in the declared types and the schedule of the run."""
    assert reduction.along
    op, reading = reduction.written, reduction.along.reading
    context = Context(NUMPY, reduction.module, reduction.schedule, OPERATIONS, reading=reading)
    with np.errstate(all="ignore"):
        if reduction.group:
            declared = reduction.along.declared
            rows = [*declared.init_before, *declared.before[0]]
            return np.asarray(collectives.fold_processes(context, op, rows)[0])
        function, alone = function_of(op, NUMPY, OPERATIONS, reading)
        operands = reduction.operands
        return np.asarray(function(*operands) if alone else function(context, op, *operands)[0])


# What the types of its nodes must hold.

VARIES = "how many leaves are added is not known for other data"


@dataclass(frozen=True, eq=False, repr=False)
class AlongBounds(Bounds):
    """Ranges that the integer types of an accumulation's nodes must hold: `ranges` by data, then by type.

    The suggestion is the accumulation whose types are the narrowest that hold everything, for any data, with
    the weights of a contraction where that is narrower, if these types have at most 64 bits. Nodes of floats
    are not judged. `left_out` has data of which nothing is known.
    """

    ranges: Mapping[str, Mapping[Held, Ends]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def scopes(self) -> dict[str, Bound | None]:
        return {
            f"{scope}, in {held!r}": _bound(ends)
            for scope, known in self.ranges.items()
            for held, ends in known.items()
        }

    @property
    def is_known(self) -> bool:
        return any(self.ranges.values())

    @property
    def proviso(self) -> str:
        return ""

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))


def bounds(reduction: Reduction, seconds: float | None = None, progress: Progress | None = None) -> Bounds:
    """Return all bounds, or none if there is no time; progress counts leaves."""
    if reduction.by_blocks:
        return _bounds_of_blocks(reduction, Work(seconds, progress))
    if reduction.along is None:
        return ordinary_bounds.bounds(reduction, seconds, progress)
    work = Work(seconds, progress)
    found = work.whole("elements", reduction.size, lambda: _bounds(reduction))
    found = found or AlongBounds(reduction, suggestion=Suggestion(why=LATE))
    return replace(found, covered=tuple(work.covered))


def _verdicts_on_blocks(reduction: Reduction, work: Work) -> Verdicts:
    from interp.questions.block_verdicts import block_verdicts  # which few runs need

    judge = lambda: _kinds_of_blocks(reduction) if reduction.along else block_verdicts(reduction)
    found: Verdicts | None = work.whole("elements", reduction.size, judge)
    found = found or Verdicts(reduction, np.full(reduction.shape, UNJUDGED))
    return replace(found, covered=tuple(work.covered))


def _kinds_of_blocks(reduction: Reduction) -> AlongVerdicts:
    """Return the verdicts on a contraction by blocks along accumulations: as `_kinds` has them."""
    from interp.questions.block_verdicts import block_verdicts

    known = block_verdicts(reduction).kinds == SAFE
    same = _is_same(declared_result(reduction), np.asarray(reduction.results[0]))
    return AlongVerdicts(reduction, np.where(known, np.where(same, SAFE, ALTERED), UNKNOWN))


def _bounds_of_blocks(reduction: Reduction, work: Work) -> Bounds:
    from interp.questions.block_bounds import block_bounds, late  # which few runs need

    found = work.whole("elements", reduction.size, lambda: block_bounds(reduction)) or late(reduction)
    return replace(found, covered=tuple(work.covered))


def _bounds(reduction: Reduction) -> AlongBounds:
    beat()
    assert reduction.along
    if not is_stored_as_integer(reduction.types[0]):
        return AlongBounds(reduction, suggestion=Suggestion(why=ROUNDS))
    ranges, left_out, found = dict[str, Needed](), list[str](), Suggestion(why=TOO_WIDE)
    for scope, question in SCOPES.items():
        try:
            ranges[scope] = question(reduction)
        except Unsupported as error:
            left_out += [f"{scope}: {error.verdict}"] if error.verdict else []
            continue
        if found.type is None or scope == WEIGHTS:  # those of the weights are never wider
            own = _suggest(reduction, scope, ranges[scope])
            found = found if own.type in (None, found.type) and found.type else own
    held = ranges[INPUTS].held
    rooms = [headrooms(held.type, ends) for held, ends in held.items()]
    left = np.minimum.reduce(np.broadcast_arrays(*rooms)) if rooms else None
    known = {scope: needed.held for scope, needed in ranges.items()}
    return AlongBounds(
        reduction, headrooms=left, suggestion=found, missing=(), ranges=known, left_out=tuple(left_out)
    )


def declared_type(reduction: Reduction) -> Held:
    """Return the type of nodes that name none."""
    assert reduction.along
    adding = reduction.along.adding
    assert adding.declared
    return Held(adding.declared, adding.saturates)


def input_needs(reduction: Reduction) -> Needed:
    """Return what the leaves of the run need, by result element."""
    assert reduction.along
    accumulation, has_init = reduction.along.adding.accumulation, not reduction.has_own_inits
    if reduction.products:
        ends = reduction.products.possible
    else:
        known = [*reduction.init, *(x for part in reduction.parts for x, _ in part.blocks())]
        known = [x for x in known if x.size] or [np.zeros(1)]
        ends = min(int(x.min()) for x in known), max(int(x.max()) for x in known)
    dtype = integer_dtype(2 * reduction.n + 4, *ends)
    parts = list[tuple[Array, Needed]]()
    for part in reduction.parts:
        seed = reduction.seeds()[part.columns].astype(dtype)
        leaves = part.flat(lambda x: x) if has_init else part.with_init(seed)
        for present, chosen in alike_elements(leaves, seed.shape):
            start = seed[chosen]
            leaf = lambda i, leaves=leaves, chosen=chosen: point(leaves.at(i)[0][chosen].astype(dtype))
            init = point(start) if has_init else None
            columns = part.columns if present is None else part.columns[chosen]
            parts.append(
                (columns, along(accumulation, leaves.n, leaf, init, declared_type(reduction), present))
            )
    flat = spread_out(parts, reduction.size, dtype)
    shaped = lambda ends: Ends(*(end.reshape(reduction.shape) for end in ends))
    return Needed({held: shaped(ends) for held, ends in flat.held.items()}, shaped(flat.root))


def data_needs(reduction: Reduction) -> Needed:
    """Return what all data of these types need."""
    if reduction.products:
        left, right = reduction.products.ranges
        shapes = [value.type.shape for value in reduction.products.op.operands[:2]]
        return factor_needs(reduction, *map(bounded_factor, (left, right), shapes))
    assert reduction.along
    declared = reduction.along.declared
    if declared.op.name not in COUNTED or any(part.leaves.present for part in reduction.parts):
        raise Unsupported(VARIES)
    (type,) = declared.types
    least, greatest = any_data(declared, type)  # type: ignore[arg-type]
    leaf, init = (_within(type, *each) for each in zip(_apart(least), _apart(greatest), strict=True))
    n, accumulation = reduction.n, reduction.along.adding.accumulation
    if declared.op.name == "stablehlo.reduce_window":
        leaf = leaf.join(init)  # in the padding
    if reduction.has_own_inits:
        return along(accumulation, n + 1, lambda i: leaf if i else init, None, declared_type(reduction))
    return along(accumulation, n, lambda i: leaf, init, declared_type(reduction))


def weight_needs(reduction: Reduction) -> Needed:
    """Return what any left operand of a contraction needs, with the right one of the run."""
    if reduction.products is None:
        raise Unsupported("")
    shape = reduction.products.op.operands[0].type.shape
    left = bounded_factor(reduction.products.ranges[0], shape)
    return factor_needs(reduction, left, constant_factor(np.asarray(reduction.products.numbers[1])))


def factor_needs(reduction: Reduction, lhs: Factor, rhs: Factor) -> Needed:
    """Return what products of all factors between these ends need, in any window of a convolution."""
    assert reduction.along
    assert reduction.products
    op, accumulation = reduction.products.op, reduction.along.adding.accumulation
    has_zero = bool(np.all(lhs.least <= 0) and np.all(lhs.greatest >= 0))
    every = [exact_products(op, lhs, rhs, window) for window in windows(op, has_zero)]
    return reduce(
        Needed.join, (leaves_along(leaves, accumulation, declared_type(reduction)) for leaves in every)
    )


def _apart(steps: Steps) -> tuple[int, int]:
    """Return the input and the init of data that are all alike."""
    return int(steps.inputs.flat[0]) if steps.inputs.size else 0, int(np.ravel(steps.init)[0])


def _within(type: Type, least: int, greatest: int) -> Ends:
    """Return the ends of elements, converted to a type: those beyond it are clamped, or wrap to anything."""
    low, high = (end - zero_point(type) for end in storage_range(type))
    if isinstance(type, QuantizedType):
        least, greatest = max(least, low), min(greatest, high)
    elif not low <= least <= greatest <= high:
        least, greatest = low, high
    return ends_of(np.array(least, object), np.array(greatest, object))


SCOPES: dict[str, Callable[[Reduction], Needed]] = {
    DATA: data_needs,
    WEIGHTS: weight_needs,
    INPUTS: input_needs,
}
COUNTED = ("stablehlo.reduce", "stablehlo.reduce_window")
RESULT = "the type of the result, {!r}, does not hold every sum"


def _suggest(reduction: Reduction, scope: str, needed: Needed) -> Suggestion:
    """Return the accumulation whose types are the narrowest that hold everything."""
    assert reduction.along
    accumulation, declared = reduction.along.adding.accumulation, declared_type(reduction)
    if any(a.element_type and not a.element_type.is_integer for a in accumulation.arithmetics):
        return Suggestion(why=ROUNDS)
    if any(bits(ends) > WIDEST - held.saturates for held, ends in needed.held.items()):
        return Suggestion(why=TOO_WIDE)
    result = reduction.along.declared.types[0]
    if isinstance(result, ElementType) and result.is_integer and not holds(result, needed.root):
        return Suggestion(why=RESULT.format(result))

    def change(a: Arithmetic) -> Arithmetic:
        held = held_by(a, declared)
        if not a.type and holds(held.type, needed.held.get(held, needed.root)):
            return a
        width = lambda held: f"i{bits(needed.held[held])}" if held in needed.held else repr(held.type)
        products = width(held._replace(type=a.product_type)) if a.product_type else ""
        rounding = "saturate" if held.saturates else ""
        return replace(a, type=width(held), products=products, rounding=rounding)

    return Suggestion(accumulation.change(change), scope)


def _bound(ends: Ends) -> Bound:
    least, greatest = map(int, ends.hull)
    return Bound(least, greatest, bits(ends), True, 0, True)


def _lines(self: AlongBounds) -> Iterator[str]:
    yield f"{self.reduction.signature} {self.reduction.manner}"
    if self.partial or not self.is_known:
        yield f"  {self.shortfall or f'not judged: {self.suggestion.why}'}"
        return
    rows = [["what nodes must hold", "in", "from", "to", "bits", "there"]]
    for scope, known in self.ranges.items():
        for held, ends in known.items():
            numbers = [f"{int(end):,}" for end in ends.hull]
            rows.append([scope, repr(held), *numbers, str(bits(ends)), str(held.type.bits)])
    yield from align(rows, [0, 1], indent=2)
    yield from (f"  {why}" for why in self.left_out)
    yield f"  headroom {self.room}; suggested: {self.suggestion!r}"
