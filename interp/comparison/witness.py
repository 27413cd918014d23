"""The float reference and who computed it: XLA is a witness, and this engine checks what it says.

Theorem. Let P be a float program, run as it is written: every operation rounds once to its type, or is an
elementary function that is off by few roundings, and sums are in any order, in the declared type or a wider
one. Then its results are within the bounds of `error_bound.bounded` around those of this engine, schedule
`left`. A result of XLA beyond such a bound is not one of P as it is written. It is then put aside, and the
engine's own results are the reference, for which the bounds of the comparison hold, too: `left` is an order.

There is no bound for elements that depend on a comparison, a sort, a loop or a body of several operations:
of these XLA's results are taken unchecked. Nothing is checked where XLA cannot keep operations as written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.comparison.comparison import SLACK, distance
from interp.comparison.error_bound import bound_results
from interp.comparison.roundoff import Bounded, bound_input
from interp.engine.evaluate import Context
from interp.execute.xla import Artifact, artifact_of, options, run_function, to_container, type_of
from interp.execute.xla_child import Answer
from interp.execute.xla_process import Running, XlaFailed
from interp.kernels import OPERATIONS
from interp.loading.load import load
from spec.errors import InterpError
from spec.ir import Module
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, TensorType

Array = np.ndarray
XLA = "XLA"
UNCHECKED = "XLA, unchecked"
ENGINE = "this engine, schedule left"


class Testimony(NamedTuple):
    """Results of a float program, and who computed them (`name`, as `Comparison.witness` has it).

    is_as_written: whether each operation was rounded as it is written, which the bounds assume.
    """

    arrays: tuple[Array, ...]
    name: str
    is_as_written: bool

    @property
    def is_own(self) -> bool:
        """Return whether this engine computed the results."""
        return self.place == "this engine"

    @property
    def place(self) -> str:
        """Where the results come from: "XLA" or "this engine"."""
        return self.name.partition(",")[0].partition(" (")[0]


class Doubt(NamedTuple):
    """A result of a witness, checked: elements, those with a bound, those beyond it, and the worst one."""

    size: int
    bounded: int
    beyond: int
    off: float
    possible: float

    def __str__(self) -> str:
        where = f"at {self.beyond:,} of {self.size:,} elements"
        return f"XLA's result is {self.off:.4g} off where {self.possible:.4g} is possible, {where}"


class Witness:
    """A float program whose results XLA computes in its own process while this one goes on.

    program: the program, or None if it is known to XLA alone. args: its arguments. results: its types.
    """

    def __init__(
        self,
        program: Module | None,
        args: Sequence[Array],
        results: Sequence[TensorType],
        answer: Callable[[], Answer],
    ) -> None:
        self.program, self.args, self.results, self.answer = program, args, tuple(results), answer

    def reference(self, own: Sequence[Bounded] | None = None) -> Testimony:
        """Return XLA's results if they are possible, else this engine's of the same program.

        own: what `evaluate` returns of the program, where that is known already. Raises `XlaFailed` if XLA
        gives no results and this engine cannot run the program either.
        """
        own = self._evaluate() if own is None else own
        try:
            answer = self.answer()
        except XlaFailed as error:
            if own is None:
                raise
            reason = ": ".join([" ".join(error.verdict.split()), *error.evidence.splitlines()[:1]])
            return Testimony(arrays(self.results, own), f"{ENGINE} ({reason})", True)
        results = tuple(answer.results)
        if own is None or not answer.keeps_operations:
            return Testimony(results, UNCHECKED, answer.keeps_operations)
        doubts = list(map(compare_with_witness, self.results, results, arrays(self.results, own), own))
        if any(doubt.beyond for doubt in doubts):
            worst = max(doubts, key=lambda doubt: (doubt.beyond > 0, doubt.off - doubt.possible))
            return Testimony(arrays(self.results, own), f"{ENGINE} ({worst})", True)
        return Testimony(results, _name(doubts), True)

    def _evaluate(self) -> tuple[Bounded, ...] | None:
        try:
            return None if self.program is None else evaluate(self.program, self.args)
        except InterpError:  # it is XLA's alone
            return None


def witness_of_program(program: Module, args: Sequence[Array]) -> Witness:
    """Give XLA a float program to run."""
    return Witness(program, args, program.main.results, Running(program, args).answer)


def witness_of_function(function: Callable[..., Any], args: Sequence[Array], wide: bool) -> Witness:
    """Give XLA a JAX function to run; in this process if `jax.export` refuses it. wide: with 64-bit types."""
    artifact = artifact_of(function, args, wide)
    if artifact is None:
        found = [np.asarray(x) for x in run_function(function, args, wide)]
        types = [type_of(x) or TensorType(x.shape, ELEMENT_TYPES["f64"]) for x in found]
        results = tuple(map(to_container, found, types))
        return Witness(None, args, types, lambda: Answer(results, options() is not None))
    kept = [np.asarray(args[k]) for k in artifact.kept]
    return Witness(_try_load(artifact), kept, artifact.results, Running(artifact, args).answer)


def _try_load(artifact: Artifact) -> Module | None:
    try:
        return load(artifact.data)
    except InterpError:
        return None


def _name(doubts: Sequence[Doubt]) -> str:
    size, known = sum(doubt.size for doubt in doubts), sum(doubt.bounded for doubt in doubts)
    if known == size:
        return XLA
    return f"{UNCHECKED} at {size - known:,} of {size:,} elements" if known else UNCHECKED


def evaluate(program: Module, args: Sequence[Array]) -> tuple[Bounded, ...]:
    """Run a float program on this engine, schedule `left`, with a bound for every element of its results."""
    ctx = Context(NUMPY, program, LEFT, OPERATIONS, ())
    with np.errstate(all="ignore"):
        values = [
            bound_input(NUMPY.decode(np.asarray(x), v.type.storage_type), v.type)
            for x, v in zip(args, program.main.inputs, strict=True)
        ]
        return bound_results(ctx, program.main.body, values)


def arrays(types: Sequence[TensorType], own: Sequence[Bounded]) -> tuple[Array, ...]:
    """Return the results of `evaluate` as arrays of their types."""
    return tuple(NUMPY.encode(x.value, t.storage_type) for x, t in zip(own, types, strict=True))


def compare_with_witness(type: TensorType, witness: Array, ours: Array, own: Bounded) -> Doubt:
    """Compare a witness' result with the engine's, whose elements have a bound or an infinite one."""
    bound = np.broadcast_to(np.asarray(own.error, np.float64), ours.shape)
    known = np.isfinite(bound)
    is_number = type.storage_type.kind in ("float", "complex")
    off = distance(ours, witness) if is_number else (ours != witness).astype(np.float64)
    beyond = known & (off > bound * SLACK)
    excess = np.where(beyond, off - np.where(known, bound, 0), -1)
    worst = int(np.argmax(excess)) if excess.size else None
    numbers = (0.0, 0.0) if worst is None else (float(off.flat[worst]), float(bound.flat[worst]))
    return Doubt(bound.size, int(np.count_nonzero(known)), int(np.count_nonzero(beyond)), *numbers)
