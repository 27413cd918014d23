"""Contractions that are exact: the same bits in any order of summation, so a library's product has them.

THEOREM (integers): integers modulo 2^w are a ring; a sum of products does not depend on the order.

THEOREM (exact sums): let an operand be (q - zero_point) * scale, and each scale `sig * 2^e` with an odd
integer `sig`. If every |q - zero_point| * sig is at most 2^p, every sum of |products| at most 2^p in units of
2^(e_l + e_r), and nothing is subnormal or infinite, then no conversion, no product and no sum rounds, in the
order of any schedule: each is an integer of at most p bits times a power of two. A sum that is zero is +0,
since 0 begins it. An integer that is contracted into a float has the scale 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, fl
from interp.engine.memo import once
from interp.engine.quant import spread
from interp.engine.storage import storage_range
from interp.speed.order_free import Plain
from interp.theory.contractions import contracting, number_of_products
from spec.ir import Op
from spec.op_attributes import algorithm_of, expressed_element
from spec.types import ElementType, QuantizedType

F32, F64 = 24, 53  # bits of the integers that these floats have
INTEGERS = "integers, modulo their width"
EXACT = "exact sums"


class Ring(NamedTuple):
    """Plain integers; `most` bounds every |product|. never_wraps: no product and no sum of them does."""

    most: int
    never_wraps: bool


class Terms(NamedTuple):
    """A contraction whose sums are exact as long as they are small.

    n: the number of products. left: the largest |q - zero_point| of the left operand. right: that of the
    right one, per channel. limit: the largest exact sum of |products| of such numbers, per channel.
    """

    n: int
    left: int
    right: tuple[int, ...]
    limit: tuple[int, ...]
    type: ElementType

    @property
    def always(self) -> bool:
        """Return whether the types alone keep all sums small enough."""
        return all(
            self.n * self.left * right <= limit for right, limit in zip(self.right, self.limit, strict=True)
        )

    def why(self) -> str:
        """Return the sum of |products| that the types allow, and the one that is exact."""
        sums = [self.n * self.left * right for right in self.right]
        k = max(range(len(sums)), key=lambda k: sums[k] / max(self.limit[k], 1))
        return f"sums of {self.n} products reach {sums[k]:,}, {self.type!r} holds them to {self.limit[k]:,}"


@once
def premise_of(op: Op) -> Ring | Terms | Plain:
    """Return what the types say about sums: the premise of a theorem, or why there is none."""
    types = [value.type.element_type for value in op.operands]
    sums = accumulation_type(op)
    if sums.is_integer and all(isinstance(type, ElementType) and type.is_integer for type in types):
        most = prod(_most(type, 0) for type in types)
        return Ring(most, sums.kind == "signed" and number_of_products(op) * most <= sums.max_value)
    if sums.kind != "float" or sums.special != "ieee":
        return Plain(
            f"sums in {sums!r} round, and not as IEEE's formats do"
            if sums.kind == "float"
            else f"sums in {sums!r}"
        )
    algorithm = algorithm_of(op)
    for k, type in enumerate(types):
        through = (algorithm.precision_types[k],) if algorithm else ()
        if why := _unfit(type, through):
            return Plain(f"operand {op.operands[k].name}: {why}")
    return _terms(op, types, sums)


def _terms(op: Op, types: list[Any], sums: ElementType) -> Terms | Plain:
    (left, *more), right = _scales(types[0]), _scales(types[1])
    if more:
        return Plain("the left operand has more than one scale")
    channels = range(len(right))
    low = 1 - sums.bias
    for _, exponent in right:
        if left[1] + exponent < low or left[1] + exponent + sums.precision > sums.bias:
            return Plain(f"the product of the scales has sums that are subnormal or infinite in {sums!r}")
    limits = tuple(2**sums.precision // (left[0] * significand) for significand, _ in right)
    most = tuple(_most(types[1], k) for k in channels)
    terms = Terms(number_of_products(op), _most(types[0], 0), most, limits, sums)
    if any(terms.left * right > limit for right, limit in zip(most, limits, strict=True)):
        return Plain(f"a product of {terms.left} and {max(most)} steps of these scales rounds in {sums!r}")
    return terms


def accumulation_type(op: Op) -> ElementType:
    """Return the type that products and sums are rounded to: the algorithm's, or the result's (expressed)."""
    algorithm = algorithm_of(op)
    return algorithm.accumulation_type if algorithm else expressed_element(op.result.type)


def sums_plain_integers(op: Op) -> bool:
    """Return whether plain integers are contracted into plain integers."""
    types = [value.type.element_type for value in (*op.operands[:2], op.result)]
    return all(isinstance(type, ElementType) and type.is_integer for type in types)


def _most(type: Any, channel: int) -> int:
    """Return the largest |q - zero_point| of a channel."""
    zero_point = type.zero_points[channel] if isinstance(type, QuantizedType) else 0
    return max(abs(end - zero_point) for end in storage_range(type))


@once
def most_product(op: Op) -> int:
    """Return a bound of every |(q_l - zero_point_l) (q_r - zero_point_r)| of quantized operands."""
    types = [value.type.quantized_element_type for value in op.operands[:2]]
    farthest = lambda t: max(
        abs(q - z) for q in storage_range(t) for z in (min(t.zero_points), max(t.zero_points))
    )
    return prod(map(farthest, types))


def _scales(type: Any) -> list[tuple[int, int]]:
    """Return each scale as (sig, e): `sig * 2^e` with an odd sig."""
    if not isinstance(type, QuantizedType):
        return [(1, 0)]
    return [odd_and_exponent(fl(scale, type.expressed_type)) for scale in type.scales]


def odd_and_exponent(scale: float) -> tuple[int, int]:
    """Return a positive float as an odd integer times a power of two, of which the exponent."""
    numerator, denominator = scale.as_integer_ratio()
    zeros = (numerator & -numerator).bit_length() - 1
    return numerator >> zeros, zeros - denominator.bit_length() + 1


def _unfit(type: Any, through: tuple[ElementType, ...]) -> str:
    """Return why the numbers of an operand are not all exact in its types, or ""."""
    if isinstance(type, ElementType):
        return "" if type.is_integer and not through else f"products and sums of {type!r} may round"
    if not type.storage_type.is_integer or type.block_sizes:
        return f"{type.brief} is not quantized to integers per tensor or per axis"
    floats = (type.expressed_type, *through)
    if any(fl(scale, type.expressed_type) in (0.0, float("inf")) for scale in type.scales):
        return f"a scale is no number of {type.expressed_type!r}"
    for k, (significand, exponent) in enumerate(_scales(type)):
        for element in floats:
            if element.special != "ieee" or _most(type, k) * significand > 2**element.precision:
                return f"scale {type.scales[k]:.9g} times {_most(type, k)} steps rounds in {element!r}"
            if exponent < 1 - element.bias or exponent + element.precision > element.bias:
                return (
                    f"scale {type.scales[k]:.9g} has multiples that are subnormal or infinite in {element!r}"
                )
    return ""


def fits(
    xp: Namespace,
    op: Op,
    terms: Terms,
    left: int | Array,
    numbers: Array,
    largest: Callable[[Namespace, Array], Array],
) -> Array:
    """Return whether all sums are small enough, given the right operand's numbers `q - zero_point`, exact.

    THEOREM: a sum and a product of whole numbers in f64 is exact below 2^53, and else rounds to 2^53 or more.
    So the comparison with a limit below 2^53 is exact. largest: a function that gives the largest of numbers.
    """
    dtype = xp.float32 if terms.n * max(terms.right) <= 2**F32 else xp.float64
    sizes = xp.abs(numbers).sum(axis=contracting(op), keepdims=True, dtype=dtype)
    limits = tuple(min(limit, 2**F64 - 1) for limit in terms.limit)
    if len(limits) == 1:
        return largest(xp, sizes).astype(xp.float64) * left <= limits[0]
    limit = per_channel(xp, limits, xp.float64, op, numbers.shape)
    return (sizes.astype(xp.float64) * left <= limit).all()


def per_channel(
    xp: Namespace, values: tuple[Any, ...], dtype: Any, op: Op, shape: Sequence[int], k: int = 1
) -> Array:
    """Return values for each channel of an operand, to broadcast against its shape; a single one as it is."""
    type = op.operands[k].type.element_type
    if len(values) == 1 or not isinstance(type, QuantizedType):
        return xp.asarray(values[0], dtype)
    return spread(xp, values, dtype, type, tuple(shape))
