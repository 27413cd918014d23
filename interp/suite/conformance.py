"""`conformance`: does an implementation give what the specification permits? Case by case, and in total.

A quantized operation is judged in the dequantize reading (`spec.readings`). What is wrong there may be
permitted in the integer reading: it is counted apart from what is wrong in any.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.stored import storage_range
from interp.reading.load import load
from interp.suite.cases import Arrays, Case, discover, same, stored
from interp.suite.implementations import TIMEOUT, Implementation, Question, implementation
from spec.errors import Malformed
from spec.ir import Module
from spec.readings import ANY, NOT_PERMITTED, reading_of
from spec.types import TensorType

CASES = Path(__file__).resolve().parent.parent.parent / "testdata"
# What can be said of an answer, best first. `refused` conforms where the program breaks a constraint.
VERDICTS = ("exact", "permitted", "unknown", "wrong", "refused", "unsupported", "crashed", "timed out")
LIMIT = 20_000  # applications of a body in the search for a schedule that permits one answer


@dataclass(frozen=True)
class Outcome:
    """The verdict on one case. `mistake` is the known one that a wrong answer agrees with, where one does.

    `conforms`: whether it is shown to conform. `reading` is the reading of quantized operations that the
    verdict speaks of, or "any" (`spec.readings`).
    """

    case: Case
    verdict: str
    conforms: bool
    mistake: str = ""
    detail: str = ""
    seconds: float = 0.0
    reading: str = ANY

    @property
    def is_open(self) -> bool:
        """Whether a wrong answer may be permitted in the integer reading, which is not judged."""
        return self.verdict == "wrong" and self.reading != ANY


@dataclass(frozen=True)
class Report:
    """All outcomes of an implementation. A case that does not conform may be open: see `Outcome.is_open`."""

    name: str
    outcomes: tuple[Outcome, ...]

    @property
    def ok(self) -> bool:
        """Whether every case conforms."""
        return all(outcome.conforms for outcome in self.outcomes)

    def counts(self, op: str = "") -> Counter[str]:
        """How many cases of an op, or of all, got each verdict."""
        return Counter(o.verdict for o in self.outcomes if op in ("", o.case.op))

    def open(self, op: str = "") -> int:
        """How many wrong answers of an op, or of all, may be permitted in the integer reading."""
        return sum(o.is_open for o in self.outcomes if op in ("", o.case.op))

    @property
    def conclusion(self) -> str:
        """`184 of 503 cases conform; 37 are wrong, of which 30 are not permitted in the dequantize ...`."""
        conform, wrong = sum(o.conforms for o in self.outcomes), self.counts()["wrong"]
        said = f"{conform} of {len(self.outcomes)} cases conform" + f"; {wrong} are wrong" * (wrong > 0)
        which = "which" if wrong == self.open() else f"of which {self.open()}"
        return said + f", {which} are {NOT_PERMITTED}" * (self.open() > 0)

    @property
    def ops(self) -> list[str]:
        return sorted({o.case.op for o in self.outcomes})

    def mistakes(self) -> Counter[str]:
        """Known mistakes by the number of cases whose wrong answer they explain, alone or beside others."""
        return Counter(name for o in self.outcomes for name in o.mistake.split("; ") if name)

    def constraints(self) -> dict[str, list[Outcome]]:
        """For each constraint of the ops the outcomes of its violating cases; an empty list: not covered."""
        found: dict[str, list[Outcome]] = {code: [] for code in constraint_codes(self.ops)}
        for outcome in self.outcomes:
            if outcome.case.constraint:
                found.setdefault(constraint_of(outcome.case), []).append(outcome)
        return found


def conformance(
    name: str = "numpy",
    *,
    cases: Path = CASES,
    only: Sequence[str] = (),
    timeout: float = TIMEOUT,
    progress: Callable[[Outcome, int], None] = lambda outcome, total: None,
) -> Report:
    """Run the cases of a folder whose ids contain one of `only` (all without) on an implementation.

    `name` is a built-in one (`implementations.NAMES`) or a command, to which docs/conformance.md states the
    protocol. `progress` is told every outcome and the number of cases.
    """
    chosen = discover(cases, *only)
    if not chosen:
        raise Malformed(f"no cases in {cases}" + f" match {', '.join(only)}" * bool(only), "give --cases DIR")
    tested, outcomes = implementation(name, timeout), []
    try:
        for case in chosen:
            outcomes.append(outcome_of(case, tested))
            progress(outcomes[-1], len(chosen))
    finally:
        tested.close()
    return Report(name, tuple(outcomes))


def outcome_of(case: Case, tested: Implementation) -> Outcome:
    """Ask the implementation, and judge what it answers."""
    module = program(case.path, case.dialect, case.checked)
    args = case.args if case.args is not None else zeros(module)
    start = time.monotonic()
    reply = tested(Question(case, module, args))
    seconds, reading = time.monotonic() - start, ANY
    if reply.kind == "results":
        verdict, conforms, mistake, detail = judged(case, module, args, reply.results)
        reading = judged_in(case, module, reply.results)
    else:
        refusal = reply.kind == "refused" and optional(case)
        verdict, conforms, mistake, detail = reply.kind, refusal, "", reply.message
    return Outcome(case, verdict, conforms, mistake, detail, seconds, reading)


def judged_in(case: Case, module: Module | None, given: Arrays) -> str:
    """Return of which reading of quantized operations a verdict on results speaks.

    Results of a program that breaks a constraint, and results of another type, are wrong in any.
    """
    types = module.main.results if module else ()
    if module is None or case.constraint or len(given) != len(types):
        return ANY
    is_stored = all(stored(x, type) is not None for x, type in zip(given, types, strict=True))
    return reading_of(module) if is_stored else ANY


def optional(case: Case) -> bool:
    """Whether an implementation may refuse the program: it breaks a constraint, or is in the RFC's form."""
    return bool(case.constraint) or case.mode == "mlir" or case.dialect == "rfc"


@lru_cache(maxsize=1024)
def program(path: Path, dialect: str, checked: bool) -> Module | None:
    """The program of a case; None where its file says that jaxlib cannot read it."""
    try:
        return load(path, dialect=dialect, checked=checked)
    except Malformed:
        if checked:
            raise
        return None


def zeros(module: Module | None) -> Arrays:
    """Stored zeros for a program that comes without arguments, or what is nearest in the storage range."""
    types = [value.type for value in module.main.inputs] if module else []
    bounds = [(0, 0) if not t.is_quantized else storage_range(t.element_type) for t in types]
    return tuple(
        np.full(t.shape, min(max(0, low), high), numpy_dtype(t.storage_type))
        for t, (low, high) in zip(types, bounds, strict=True)
    )


def judged(case: Case, module: Module | None, args: Arrays, given: Arrays) -> tuple[str, bool, str, str]:
    """Verdict, whether it conforms, the known mistake and a detail, for results."""
    if case.constraint:
        tolerated = case.tolerated
        return (
            ("permitted" if tolerated else "wrong"),
            tolerated,
            "",
            f"accepts what breaks {case.constraint}",
        )
    assert module is not None
    types = module.main.results
    if len(given) != len(types):
        return "wrong", False, "", f"{len(given)} results, not {len(types)}"
    results = [y for x, t in zip(given, types, strict=True) if (y := stored(x, t)) is not None]
    if len(results) < len(types):
        return (
            "wrong",
            False,
            "",
            "; ".join(
                unlike(x, t, k)
                for k, (x, t) in enumerate(zip(given, types, strict=True))
                if stored(x, t) is None
            ),
        )
    expect = case.expect or by_schedule(module, args, "left", case.mode)
    if agree(results, expect):
        return "exact", True, "", ""
    if order := next((answer.name for answer in case.permitted if agree(results, answer.results)), ""):
        return "permitted", True, "", order
    detail = f"expected {text(expect)}, given {text(results)}"
    if mistake := next((answer.name for answer in case.wrong if agree(results, answer.results)), ""):
        return "wrong", False, mistake, detail
    if case.any_schedule:
        return "wrong", False, "", detail
    return searched(case, module, args, results, detail)


def unlike(x: np.ndarray, type: TensorType, k: int) -> str:
    """Why an array is not of a result's type."""
    integers = x.shape == type.shape and x.dtype.kind in "iu" and type.storage_type.is_integer
    what = f"has values beyond {type.storage_type}" if integers else f"is {x.shape} {x.dtype}"
    return f"result {k} {what}, not {type!r}"


def searched(
    case: Case, module: Module, args: Arrays, results: Sequence[np.ndarray], detail: str
) -> tuple[str, bool, str, str]:
    """A verdict on results of which the case says nothing: some schedule may give them."""
    from interp.permitted.permits import permits

    found = permits(module, args, results, mode=case.mode, limit=LIMIT)
    if found.ok:
        names = sorted({str(name) for schedules in found.schedules for name in schedules.ravel()})
        return "permitted", True, "", ", ".join(names)
    if found.counts["not permitted"]:
        return "wrong", False, "", detail
    return "unknown", True, "", detail


def by_schedule(module: Module, args: Arrays, schedule: str, mode: str) -> Arrays:
    from interp.execute.run import run

    return tuple(result.storage for result in run(module, *args, schedule=schedule, mode=mode))


def agree(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    return len(results) == len(expected) and all(map(same, results, expected))


def text(arrays: Iterable[np.ndarray]) -> str:
    return "; ".join(np.array2string(x, separator=", ", threshold=16).replace("\n", "") for x in arrays)


def constraint_codes(ops: Sequence[str]) -> list[str]:
    """The codes of all constraints of the ops, in the specification's order."""
    from spec.ops import OPS
    from spec.type_constraints import QUANTIZED_TYPE

    rows = {name.removeprefix("stablehlo."): spec.constraints for name, spec in OPS.items()}
    rows["quantized_type"] = QUANTIZED_TYPE
    return [f"{op}_{row.label}" for op in ops for row in rows.get(op, ())]


def constraint_of(case: Case) -> str:
    """The code of the constraint that a violating case is for: its violation, or by the name of its file."""
    named = f"{case.op}_{case.id.partition('/')[2].partition('_')[0]}"
    return next(filter(None, case.violations.values()), named)
