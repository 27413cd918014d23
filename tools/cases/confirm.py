"""Derivation of every result that a conformance case states, without the engine.

Results under the schedule `left` come from the oracle in `spec/` and from exact arithmetic in `cases.exact`,
which must agree; results of other schedules come from the oracle, and wrong answers from the oracle with a
mistake built in. The engine is used only to show, by `interp.permits`, that no schedule gives a wrong answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from cases.exact.contractions import INEXACT
from cases.exact.evaluate import evaluate as exactly
from cases.exact.floats import Unknown
from cases.head import Head, joined, parsed
from cases.mistakes import INITS, MISTAKES
from interp.apps.suite.cases import same, tensor
from interp.backends.dtypes import numpy_dtype
from interp.loading.load import load
from interp.questions.permitted.permits import permits
from spec.accumulation import Accumulation
from spec.accumulator import INTEGER, LITERAL, Reading, accumulator_of
from spec.attributes import Dense, dense_text
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.recipes import SPECIFICATION
from spec.schedule import BALANCED, LEFT, Schedule
from spec.types import TensorType

REDUCTIONS = tuple(f"stablehlo.{op}" for op in ("reduce", "reduce_window", "select_and_scatter", "scatter"))
IN_F32 = re.compile(r"(\w+) computed as f32")
NARROW = re.compile(r"summed in (i\d+ (?:saturate|wrap))")  # an accumulator, as `spec.accumulation` reads it
CONTRACTIONS = ("stablehlo.dot_general", "stablehlo.convolution")
LIMIT = 20_000  # applications of a body in the search for a schedule that gives a wrong answer
SPLAT = 16  # more equal elements than these are written as one
Arrays = Sequence[np.ndarray]
Order = Schedule | Accumulation


class Refuted(Exception):
    """Exception: an evaluator contradicts a case, or the case lacks lines that only its author can write."""


class Question(NamedTuple):
    """A case's program and arguments."""

    text: str
    module: Module
    args: tuple[np.ndarray, ...]

    @property
    def types(self) -> Sequence[TensorType]:
        return self.module.main.results

    def oracle(self, order: Order = LEFT, reading: Reading = LITERAL) -> list[np.ndarray]:
        inputs = zip(self.module.main.inputs, self.args, strict=True)
        tensors = [Tensor(v.type, tuple(x.ravel().tolist())) for v, x in inputs]
        return [stored(x) for x in evaluate(self.module, tensors, order, reading=reading)]

    def accumulated(self, accumulator: str) -> list[np.ndarray]:
        """Return the results with every sum in an accumulator of integers."""
        if any(op.name in CONTRACTIONS and op.result.type.is_quantized for op in self.module.ops()):
            return self.oracle(reading=Reading(INTEGER, accumulator_of(accumulator), SPECIFICATION))
        return self.oracle(Accumulation.parse(accumulator))


def confirmed(text: str) -> str:
    """Return a case's text with all results as the evaluators derive them; raise `Refuted` if they cannot."""
    head = parsed(text)
    if head.expect and not head.expect[0].startswith("dense"):
        return text  # a verdict on the program, which has no results
    module = load(head.program, dialect=head.dialect)
    inputs = [v.type for v in module.main.inputs]
    if len(head.args) != len(inputs):
        raise Refuted(f"expected an `// args:` line for each of {inputs}, got {len(head.args)}")
    question = Question(head.program, module, tuple(map(tensor, head.args)))
    expect, any_schedule = expected(question, head)
    permitted = {} if any_schedule else other_schedules(question, expect, head)
    wrong = mistaken(question, [expect, *permitted.values()], any_schedule, head)
    written = lambda results: "; ".join(map(dense, results, question.types))
    return joined(
        head._replace(
            any_schedule=any_schedule,
            expect=list(map(dense, expect, question.types)),
            permitted={name: written(results) for name, results in permitted.items()},
            wrong={name: written(results) for name, results in wrong.items()},
        )
    )


def expected(question: Question, head: Head) -> tuple[Arrays, bool]:
    """Return the results under `left`, and whether the case can state that every schedule gives them."""
    if head.by_hand and head.is_new:
        raise Refuted("a derivation by hand needs its `// expect:` lines written by hand, too")
    results = question.oracle()
    INEXACT.clear()
    how, again = derived(question, head)
    if not alike(results, again):
        raise Refuted(f"the oracle gives {results}, {how} {again}: one of them has a mistake")
    fixed = not INEXACT and not any(op.name in REDUCTIONS for op in question.module.ops())
    return results, fixed and (head.any_schedule or head.is_new)


def derived(question: Question, head: Head) -> tuple[str, Arrays]:
    """Return the results by exact arithmetic or, if that lacks an operation, by hand, and which it was."""
    try:
        return "exact arithmetic", exactly(question.module, question.args)
    except Unknown as error:
        if not head.by_hand:
            raise Refuted(f"exact arithmetic does not have {error}: derive the results by hand") from None
        return "the derivation by hand", list(map(tensor, head.expect))


def other_schedules(question: Question, expect: Arrays, head: Head) -> dict[str, Arrays]:
    """Return the results of the schedules that the case names or, for a new case, of those that differ."""
    names = ("balanced", *INITS) if head.is_new else head.permitted
    found: dict[str, Arrays] = {}
    for name in names:
        if name == "balanced":
            found[name] = question.oracle(BALANCED)
        elif name in INITS:
            with INITS[name]():
                found[name] = question.oracle()
        else:
            raise Refuted(f"expected a schedule of {['balanced', *INITS]}, got {name!r}")
    return {name: x for name, x in found.items() if not alike(x, expect)}


def mistaken(
    question: Question, right: Sequence[Arrays], any_schedule: bool, head: Head
) -> dict[str, Arrays]:
    """Return the wrong answers of the case or, for a new case, of every known mistake that it reveals."""
    known: dict[Any, bool] = {}  # several mistakes may give one answer

    def is_right(answer: Arrays) -> bool:
        bits = tuple((x.dtype, x.shape, x.tobytes()) for x in answer)
        if bits not in known:
            given = any(alike(answer, results) for results in right)
            known[bits] = given or (not any_schedule and is_permitted(question, answer))
        return known[bits]

    if head.is_new and not head.wrong:
        return {name: x for name, x in known_answers(question).items() if not is_right(x)}
    found = {name: wrong_answer(question, name, text) for name, text in head.wrong.items()}
    if name := next((name for name, answer in found.items() if is_right(answer)), ""):
        raise Refuted(f"{name}: its answer is not wrong, some schedule gives it: choose other `args`")
    return found


def known_answers(question: Question) -> dict[str, Arrays]:
    """Return the answers of all known mistakes that apply to the program."""
    expressed = [t for t in ("f16", "bf16", "f64") if f":{t}," in question.text]
    found = {}
    for name in (*MISTAKES, *(f"{t} computed as f32" for t in expressed)):
        with suppress(AssertionError, ArithmeticError, LookupError, TypeError, ValueError):
            found[name] = wrong_answer(question, name, "")
    return found


def wrong_answer(question: Question, name: str, text: str) -> Arrays:
    """Return the answer of a known mistake, or the one written by hand."""
    if name in MISTAKES:
        with MISTAKES[name]():
            return question.oracle()
    if found := NARROW.fullmatch(name):
        return question.accumulated(found[1])
    if found := IN_F32.fullmatch(name):
        program = question.text.replace(f":{found[1]},", ":f32,")
        return question._replace(module=load(program)).oracle()
    if not text:
        known = "\n  ".join((*MISTAKES, "summed in i20 saturate", "f16 computed as f32"))
        raise Refuted(f"wrong ({name}): expected its answer, or a known mistake:\n  {known}")
    return list(map(tensor, text.split("; ")))


def is_permitted(question: Question, answer: Arrays) -> bool:
    """Return whether some schedule, with any number of init values, gives each element."""
    if any(x.size == 0 for x in answer):
        return False
    with np.errstate(all="ignore"):
        return permits(question.module, question.args, answer, mode="mlir", limit=LIMIT).ok


def alike(xs: Arrays, ys: Arrays) -> bool:
    return len(xs) == len(ys) and all(map(same, xs, ys))


def stored(x: Tensor) -> np.ndarray:
    storage = x.type.storage_type
    wide = np.float64 if storage.kind == "float" else numpy_dtype(storage)
    return np.array(x.elements, wide).astype(numpy_dtype(storage)).reshape(x.type.shape)


def dense(x: np.ndarray, type: TensorType) -> str:
    """Return stored elements as MLIR writes them."""
    flat, storage = x.ravel(), type.storage_type
    splat = flat.size > SPLAT and len({e.tobytes() for e in flat}) == 1
    data = (flat[:1] if splat else flat).tobytes()
    return dense_text(Dense(TensorType(type.shape, storage), data, splat))
