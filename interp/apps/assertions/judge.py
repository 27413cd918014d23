"""The judgement of an assertion: a verb's answer, with the program and the arrays that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from interp.apps.assertions.options import Options
from interp.comparison.compare import compare
from interp.comparison.comparison import SLACK, Comparison, distance
from interp.engine.arguments import function_named
from interp.engine.tensor import Tensor
from interp.execute.calling import prepare_call
from interp.questions.permitted.permits import Permits, permits
from interp.questions.permitted.results import accept_results
from spec.errors import Malformed
from spec.ir import Func, Module

A = TypeVar("A", Permits, Comparison)


@dataclass(frozen=True)
class Judged(Generic[A]):
    """An answer about `given`, the results of `func` for `args`; None for the program's own run."""

    answer: A
    module: Module
    func: Func
    args: Sequence[Any]
    given: list[np.ndarray] | None


@dataclass(frozen=True)
class Near:
    """Elements of one result beside the float reference: real numbers, their distance, and its bound.

    A bound is infinite where there is none, and NaN where something saturated.
    """

    got: np.ndarray
    reference: np.ndarray
    error: np.ndarray
    bound: np.ndarray

    @property
    def beyond(self) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return np.isfinite(self.bound) & (self.error > self.bound * SLACK)

    @property
    def saturation(self) -> np.ndarray:
        return np.isnan(self.bound)

    @property
    def gap(self) -> np.ndarray:
        return np.isinf(self.bound)


def judge_permitted(program: Any, args: Sequence[Any], got: Any, options: Options) -> Judged[Permits]:
    """Return whether results are permitted."""
    results = call_implementation(got, args)
    call = prepare_call("permits", program, (args, results), options.verb)
    func = function_named(call.module, options.verb.get("function", "main"))
    stored, given = call.args
    given = accept_results(func, given if call.flat else as_list(given, func))
    return Judged(permits(call.module, stored, given, **call.options), call.module, func, stored, given)


def judge_close(program: Any, args: Sequence[Any], got: Any, options: Options) -> Judged[Comparison]:
    """Return a comparison with the float reference, and results to be held against its bounds."""
    against = options.verb.get("against")
    if against is not None and not callable(against):
        raise Malformed(
            f"against = {type(against).__name__}", "expected a JAX function of the float arguments"
        )
    results = None if got is None else call_implementation(got, args)
    call = prepare_call("permits", program, (args, () if results is None else results), options.verb)
    func = function_named(call.module, options.verb.get("function", "main"))
    stored, given = call.args
    if results is not None:
        given = accept_results(func, given if call.flat else as_list(given, func))
    answer = compare(call.module, *stored, **call.options)
    assert isinstance(answer, Comparison)
    return Judged(answer, call.module, func, stored, None if results is None else given)


def call_implementation(got: Any, args: Sequence[Any]) -> Any:
    """Return results, or those of an implementation that is given in their place."""
    return got(*args) if callable(got) and not hasattr(got, "__array__") else got


def as_list(results: Any, func: Func) -> list[Any]:
    """Return the results of a function: those of a tuple or a list, or the one that is given."""
    several = isinstance(results, tuple | list)
    return list(results) if several and len(results) == len(func.results) else [results]


def beside_float(found: Judged[Comparison]) -> list[Near]:
    """Return the elements of every result beside the float numbers that their bounds are of."""
    answer = found.answer
    outs = answer.outputs if found.given is None else tuple(map(Tensor, found.func.results, found.given))
    references = answer.bare or answer.reference
    return [
        Near(x := out.dequantize(), reference, distance(x, reference), np.asarray(bound))
        for out, reference, bound in zip(outs, references, answer.bounds, strict=True)
    ]
