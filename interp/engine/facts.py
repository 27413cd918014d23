"""Table of facts about operations, one row each, on which events, proofs, bounds and rewrites rely.

A new operation is a kernel and a row here. `tests/test_facts.py` tests every claim of every row, and compares
the table with the kernels and with the dicts in which the names in a column are keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from spec.ir import Op
from spec.op_attributes import FORMS

Family = Literal[
    "",
    "elementwise",
    "conversion",
    "structure",
    "indexing",
    "reduction",
    "scatter",
    "contraction",
    "control",
    "normalization",
    "random",
    "algebra",
    "tuple",
    "parallel",
    "sorting",
    "dynamism",
    "simulation",
]
# `formula(xp)` is the exact function of numbers, over a namespace of arrays.
Formula = Callable[[Any], Callable[..., Any]]
Identity = Literal["", "zero", "one", "least", "greatest", "all ones"]
Extremes = Literal["", "corners", "corners or zero"]
Undefined = Literal["", "shift amount", "zero divisor"]
# The rules of `error_bound_elementwise`, then those of `error_bound`.
Bound = (
    Literal["sum", "product", "quotient", "root", "reciprocal root", "exponential", "logarithm", "power"]
    | Literal["wave", "sigmoid", "largest", "rounded to integer", "selected", "parts"]
    | Literal["exponential minus one"]
    | Literal["converted", "reinterpreted", "constant", "iota", "moved", "placed"]
    | Literal["reduced", "scattered", "contracted", "unknown"]
)
# The rules of `float_reference`.
Reference = Literal[
    "same",
    "alias",
    "reinterpreted",
    "constant",
    "compared",
    "contracted",
    "landed",
    "reduced",
    "scattered",
    "body",
    "composed",
    "none",
]


class Facts(NamedTuple):
    """Facts about one operation. A column that is left out claims nothing.

    family:      the file of `interp.kernels` that has its kernel
    batches:     it acts element by element, so that a body of such operations runs on whole batches
    formula:     its exact function of numbers; None where that is not known
    wraps:       its exact result may lie beyond the integer type of the stored one
    undefined:   the condition under which the specification leaves an integer result open
    shifts:      `f(a - z, b - z) = f(a, b) - f(z, z)`, so that it may be applied to stored numbers
    monotone:    it never decreases when an operand, a number, grows
    trend:       of an operation that is not monotone or not exact: a sign for each operand; where that grows,
                 the exact function never decreases (+) or never increases (-), as long as it is a number
    clips:       its result is one operand, or the bound that another sets to it
    nonnegative: its result, a float, is never negative
    extremes:    of an operation without a trend: where its extremes lie for operands between ends
    identity:    the e with `f(e, x) = x`; on integers and booleans f is associative and commutative
    idempotent:  `f(x, x) = x`
    error:       the rule of `error_bound_elementwise` or `error_bound` by which `compare` bounds its error
    reference:   the rule of `float_reference` that rewrites it
    takes_any:   a quantized operand may have other parameters than the result
    recorded:    a trace records each element's leaves, although the family is not one of reductions
    """

    family: Family = "elementwise"
    batches: bool = True
    formula: Formula | None = None
    wraps: bool = False
    undefined: Undefined = ""
    shifts: bool = False
    monotone: bool = False
    trend: str = ""
    clips: bool = False
    nonnegative: bool = False
    extremes: Extremes = ""
    identity: Identity = ""
    idempotent: bool = False
    error: Bound = "unknown"
    reference: Reference = "same"
    takes_any: bool = False
    recorded: bool = False

    @property
    def exact(self) -> bool:
        """Return whether the exact result is known."""
        return self.formula is not None

    @property
    def is_whole(self) -> bool:
        """Return whether its exact result is an integer wherever its operands are integers."""
        return self.exact and not self.undefined

    @property
    def computes(self) -> bool:
        """Return whether the operation computes numbers from numbers, elementwise: it may have events."""
        return self.family in ("elementwise", "conversion") and self.reference != "reinterpreted"

    @property
    def moves(self) -> bool:
        """Return whether the operation only moves elements, by their indices alone."""
        return self.error == "moved"

    @property
    def picks(self) -> bool:
        """Return whether each element of the result is one of its operands' elements."""
        return self.clips or self.error in ("selected", "moved", "placed")

    @property
    def scales(self) -> bool:
        """Return whether the unit of the exact result is the product or the quotient of its operands'."""
        return self.error in ("product", "quotient")

    @property
    def folds(self) -> bool:
        """Return whether each element of the result is a fold by a body, of leaves of their own."""
        return self.error == "reduced"

    @property
    def reduces(self) -> bool:
        """Return whether the operation reduces by a body, so that a trace records each element's leaves."""
        return self.family in ("reduction", "scatter")

    @property
    def is_recorded(self) -> bool:
        """Return whether a trace records each element's leaves: of a contraction, its products."""
        return self.reduces or self.contracts or self.recorded

    @property
    def contracts(self) -> bool:
        """Return whether the operation sums products, perhaps with its geometry as an operand."""
        return self.family == "contraction" or (self.recorded and self.family == "dynamism")

    @property
    def chooses(self) -> bool:
        """Return whether the result is always one of the two operands."""
        return self.identity in ("least", "greatest")

    @property
    def counts(self) -> bool:
        """Return whether combining the same number once more changes the result, as in a sum."""
        return bool(self.identity) and not self.idempotent


def _clamp(xp: Any) -> Callable[..., Any]:
    return lambda low, x, high: xp.minimum(xp.maximum(x, low), high)


_EXTREME = Facts(shifts=True, monotone=True, clips=True, idempotent=True, error="largest")
ELEMENTWISE = {
    "abs": Facts(
        formula=lambda xp: xp.abs, nonnegative=True, wraps=True, extremes="corners or zero", error="largest"
    ),
    "add": Facts(
        formula=lambda xp: xp.add, wraps=True, shifts=True, monotone=True, identity="zero", error="sum"
    ),
    "and": Facts(identity="all ones", idempotent=True),
    "atan2": Facts(),
    "cbrt": Facts(trend="+"),
    "ceil": Facts(error="rounded to integer", trend="+"),
    "clamp": Facts(formula=_clamp, monotone=True, clips=True, error="largest"),
    "compare": Facts(reference="compared"),
    "complex": Facts(error="parts"),
    "cosine": Facts(error="wave"),
    "count_leading_zeros": Facts(),
    "divide": Facts(
        formula=lambda xp: xp.true_divide,
        wraps=True,
        undefined="zero divisor",
        extremes="corners",
        error="quotient",
    ),
    "exponential": Facts(error="exponential", trend="+", nonnegative=True),
    "exponential_minus_one": Facts(error="exponential minus one", trend="+"),
    "floor": Facts(error="rounded to integer", trend="+"),
    "imag": Facts(error="parts"),
    "is_finite": Facts(),
    "log": Facts(error="logarithm", trend="+"),
    "log_plus_one": Facts(trend="+"),
    "logistic": Facts(error="sigmoid", trend="+", nonnegative=True),
    "maximum": _EXTREME._replace(formula=lambda xp: xp.maximum, identity="least"),
    "minimum": _EXTREME._replace(formula=lambda xp: xp.minimum, identity="greatest"),
    "multiply": Facts(
        formula=lambda xp: xp.multiply, wraps=True, extremes="corners", identity="one", error="product"
    ),
    "negate": Facts(formula=lambda xp: xp.negative, wraps=True, error="largest", trend="-"),
    "not": Facts(),
    "or": Facts(identity="zero", idempotent=True),
    "popcnt": Facts(),
    "power": Facts(wraps=True, error="power"),
    "real": Facts(error="parts"),
    "reduce_precision": Facts(trend="+"),
    "remainder": Facts(undefined="zero divisor"),
    "round_nearest_afz": Facts(error="rounded to integer", trend="+"),
    "round_nearest_even": Facts(error="rounded to integer", trend="+"),
    "rsqrt": Facts(error="reciprocal root", trend="-"),
    "select": Facts(formula=lambda xp: xp.where, extremes="corners", error="selected"),
    "shift_left": Facts(undefined="shift amount"),
    "shift_right_arithmetic": Facts(undefined="shift amount"),
    "shift_right_logical": Facts(undefined="shift amount"),
    "sign": Facts(trend="+"),
    "sine": Facts(error="wave"),
    "sqrt": Facts(error="root", trend="+", nonnegative=True),
    "subtract": Facts(formula=lambda xp: xp.subtract, wraps=True, shifts=True, error="sum", trend="+-"),
    "tan": Facts(),
    "tanh": Facts(error="wave", trend="+"),
    "xor": Facts(identity="zero"),
}
_OTHERS = {
    "bitcast_convert": Facts("conversion", False, error="reinterpreted", reference="reinterpreted"),
    "convert": Facts("conversion", formula=lambda xp: xp.positive, wraps=True, error="converted", trend="+"),
    "custom_call": Facts("conversion", False),
    "uniform_dequantize": Facts(
        "conversion", error="converted", reference="alias", takes_any=True, trend="+"
    ),
    "uniform_quantize": Facts("conversion", error="converted", reference="alias", takes_any=True, trend="+"),
    "broadcast_in_dim": Facts("structure", False, error="moved"),
    "concatenate": Facts("structure", False, error="moved"),
    "constant": Facts("structure", monotone=True, error="constant", reference="constant"),
    "iota": Facts("structure", False, error="iota"),
    "pad": Facts("structure", False, error="moved"),
    "reshape": Facts("structure", False, error="moved"),
    "reverse": Facts("structure", False, error="moved"),
    "slice": Facts("structure", False, error="moved"),
    "transpose": Facts("structure", False, error="moved"),
    "dynamic_slice": Facts("indexing", False, error="placed"),
    "dynamic_update_slice": Facts("indexing", False, error="placed"),
    "gather": Facts("indexing", False, error="placed"),
    "reduce": Facts("reduction", False, error="reduced", reference="reduced"),
    "reduce_window": Facts("reduction", False, error="reduced", reference="reduced"),
    "select_and_scatter": Facts("reduction", False, error="scattered", reference="scattered"),
    "scatter": Facts("scatter", False, reference="landed"),
    "convolution": Facts("contraction", False, error="contracted", reference="contracted"),
    "dot_general": Facts("contraction", False, error="contracted", reference="contracted"),
    "batch_norm_grad": Facts("normalization", False),
    "batch_norm_inference": Facts("normalization", False),
    "batch_norm_training": Facts("normalization", False),
    "rng": Facts("random", False),
    "rng_bit_generator": Facts("random", False),
    "cholesky": Facts("algebra", False),
    "fft": Facts("algebra", False),
    "triangular_solve": Facts("algebra", False),
    "case": Facts("control", False),
    "composite": Facts("control", False, reference="composed"),
    "if": Facts("control", False),
    "map": Facts("control", False),
    "optimization_barrier": Facts("control", False),
    "while": Facts("control", False),
    "all_gather": Facts("parallel", False),
    "async_done": Facts("parallel", False),
    "async_start": Facts("parallel", False),
    "infeed": Facts("parallel", False),
    "outfeed": Facts("parallel", False),
    "partition_id": Facts("parallel", False),
    "recv": Facts("parallel", False),
    "replica_id": Facts("parallel", False),
    "send": Facts("parallel", False),
    "all_reduce": Facts("parallel", False, recorded=True),
    "all_to_all": Facts("parallel", False),
    "collective_broadcast": Facts("parallel", False),
    "collective_permute": Facts("parallel", False),
    "collective_reduce": Facts("parallel", False, recorded=True),
    "reduce_scatter": Facts("parallel", False, recorded=True),
    "after_all": Facts("tuple", False),
    "create_token": Facts("tuple", False),
    "get_tuple_element": Facts("tuple", False),
    "tuple": Facts("tuple", False),
    "sort": Facts("sorting", False),
    "dynamic_broadcast_in_dim": Facts("dynamism", False),
    "dynamic_conv": Facts("dynamism", False, recorded=True),
    "dynamic_gather": Facts("dynamism", False),
    "dynamic_iota": Facts("dynamism", False),
    "dynamic_pad": Facts("dynamism", False),
    "dynamic_reshape": Facts("dynamism", False),
    "get_dimension_size": Facts("dynamism", False),
    "real_dynamic_slice": Facts("dynamism", False),
}
STABLEHLO = ELEMENTWISE | _OTHERS
FACTS: dict[str, Facts] = {f"stablehlo.{name}": row for name, row in STABLEHLO.items()} | {
    "arith.constant": Facts("structure", error="constant", reference="constant"),
    "interpreter.run_parallel": Facts("parallel", False),
    "sdy.manual_computation": Facts("parallel", False),
    "sdy.named_computation": Facts("parallel", False),
    "sdy.sharding_group": Facts("parallel", False),
    "sdy.all_gather": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.all_slice": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.all_to_all": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.collective_permute": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.propagation_barrier": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.reshard": Facts("parallel", False, error="moved", reference="alias"),
    "sdy.sharding_constraint": Facts("parallel", False, error="moved", reference="alias"),
    "func.call": Facts("control", False),
    "quant.dcast": Facts("conversion", error="converted", reference="alias", takes_any=True, trend="+"),
    "quant.qcast": Facts("conversion", error="converted", reference="alias", trend="+"),
    **{
        name: Facts("simulation", False, reference="none" if form.gradient else "alias")
        for name, form in FORMS.items()
    },
    "quant.coupled_ref": Facts("simulation", False, error="moved", reference="alias"),
    "quant.region": Facts("simulation", False, reference="body"),
    "quant.stats": Facts("simulation", False, error="moved", reference="alias"),
    "quant.stats_ref": Facts("simulation", False, error="moved", reference="alias"),
    "quant.scast": Facts("conversion", error="reinterpreted", reference="reinterpreted"),
}
# By the name of a StableHLO operation.
NAMESPACE_FORMULAS = {name: row.formula for name, row in STABLEHLO.items() if row.formula}
# LAPACK's routines as jax names them, for every type that they exist for.
_ROUTINES = {
    "sdcz": "gees geev gehrd geqrf gesdd getrf gtsv potrf trsm",
    "sd": "orgqr syevd sytrd",
    "cz": "heevd hetrd ungqr",
}
LAPACK = tuple(
    f"lapack_{letter}{name}_ffi"
    for letters, names in _ROUTINES.items()
    for letter in letters
    for name in names.split()
)
# By the target of a custom call.
CALLS = dict.fromkeys(
    ("odml_torch.uniform_dequantize", "odml_torch.uniform_quantize"),
    Facts("conversion", False, error="converted", reference="alias", trend="+"),
) | dict.fromkeys(LAPACK, Facts("conversion", False))
NOTHING = Facts("", False)


def facts(op: Op) -> Facts:
    """Return the row of an operation; for a custom call, the row of its target."""
    if op.name == "stablehlo.custom_call" and op["call_target_name"] in CALLS:
        return CALLS[op["call_target_name"]]
    return FACTS.get(op.name, NOTHING)


def facts_of(name: str) -> Facts:
    """Return the row of a StableHLO operation by its name without the dialect; for "" an empty row."""
    return FACTS.get(f"stablehlo.{name}", NOTHING)
