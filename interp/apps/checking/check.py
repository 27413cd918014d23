"""`check`: does a model load, keep every constraint, look meant, hold its sums for every input, and run?

Each question is that of another verb: `load`, `verify`, `lint`, `prove` and `run`, in this order. What they
say becomes remarks of one form, so that one list, and one exit status, answers a build.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from interp.engine.arguments import function_named
from interp.engine.inputs import random_arguments
from interp.engine.markup import Display, join_lines
from interp.engine.work import Progress, Work
from interp.execute.refine import refine
from interp.execute.run import run
from interp.loading.load import Program, as_written, load
from interp.questions.lint import lint
from interp.questions.proving.judgement import ANY_ORDER, ANY_SCHEDULE, NOT_JUDGED, PROVED, REFUTED, UNKNOWN
from interp.questions.proving.prove import Proof, Row, prove
from spec.errors import InterpError, Location, Malformed, Violation, several
from spec.ir import Module
from spec.rules.verify import verify

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (ERROR, WARNING, NOTE)
STAGES = ("load", "verify", "lint", "prove", "run")
SECONDS = 60.0  # for proofs, and again for the first run
# What a proof says of a sum: the rule, and its level.
SUMS = {
    REFUTED: ("sum_overflows", ERROR, "some input makes a sum overflow its accumulator"),
    NOT_JUDGED: ("sum_not_judged", WARNING, "a sum was not looked at"),
    UNKNOWN: ("sum_unknown", NOTE, "neither a proof nor an input that makes a sum overflow was found"),
}
UNKNOWN_SIZES = ("sizes_unknown", WARNING, "nothing else is checked: give arguments, or dims")
NOT_FINISHED = ("run_not_finished", WARNING, "the deadline came within the first run")
OVERFLOW = "lint_overflow"  # which a proof overrules
LEFT_OPEN = (UNKNOWN_SIZES[0], SUMS[NOT_JUDGED][0], NOT_FINISHED[0])
NOT_FINITE = ("not_finite", WARNING, "finite arguments gave NaN or an infinity")


class Remark(NamedTuple):
    """A remark of a stage: its rule, which is a constraint's code where there is one, and where it holds.

    name: that of the sum that it is about, `%4`, or "".
    """

    stage: str
    rule: str
    level: str
    summary: str
    text: str
    where: Location = Location()
    name: str = ""

    def __str__(self) -> str:
        head = f"{self.level} {self.rule}: {self.summary}"
        place = "" if self.where == Location() else f"{self.where}: "
        return "\n".join([f"{place}{head}", *(f"  {line}" for line in self.text.splitlines())])


@dataclass(frozen=True, repr=False)
class Check(Display):
    """The remarks about a model, in the order of the stages, and what each stage did.

    stages: by name, "no remarks", a count of remarks, or why it did not take place. ignored: the remarks
    whose rules were to be ignored, by rule.
    """

    remarks: tuple[Remark, ...]
    stages: Mapping[str, str]
    ignored: Mapping[str, int]
    strict: bool = False

    @property
    def ok(self) -> bool:
        """Return whether there is no error, and no question was left open; if strict, no remark at all."""
        return not any(self.strict or each.level == ERROR or each.rule in LEFT_OPEN for each in self.remarks)

    @property
    def counts(self) -> Counter[str]:
        """The number of remarks of each level."""
        return Counter(each.level for each in self.remarks)

    def _repr_text_(self) -> str:
        stages = [f"{stage}: {what}" for stage, what in self.stages.items()]
        ignored = [f"ignored: {rule} x {count}" for rule, count in self.ignored.items()]
        return join_lines([*map(str, self.remarks), *stages, *ignored])


def check(
    program: Program,
    *args: Any,
    dims: Mapping[str, int] | None = None,
    ranges: Mapping[str | int, Any] | None = None,
    function: str = "main",
    mode: str = "strict",
    stages: Collection[str] = STAGES,
    ignore: Collection[str] = (),
    strict: bool = False,
    seconds: float | None = SECONDS,
    progress: Progress | None = None,
) -> Check:
    """Return every remark of `load`, `verify`, `lint`, `prove` and `run` about a program.

    program: what `load` reads; that it does not is a remark, too. args: those of the first run, drawn with
    seed 0 if there are none; they also give unknown sizes, as dims does for an ONNX model. ranges: of
    parameters, as for `prove`. mode: of `verify`. stages: those that take place. ignore: rules whose remarks
    do not count. strict: every remark counts, not only errors. seconds: for the proofs, and again for the
    first run. Raises `Malformed`
    for options that cannot be used, and for nothing else.
    """
    wanted = several(stages, "stages")
    if unknown := set(wanted) - set(STAGES):
        raise Malformed(f"unknown stage: {', '.join(sorted(unknown))}", f"known: {', '.join(STAGES)}")
    found = _Stages(frozenset(wanted) | {"load"}, mode)
    module = found.take("load", lambda: found.load(program, dims))
    if module and "verify" in wanted:
        module = found.take("verify", lambda: found.verify(module))
    if module and args:
        module = found.take("load", lambda: refine(module, *args))
    if module and module.is_dynamic:
        found.remarks.append(Remark("load", *UNKNOWN_SIZES, _inputs(module)))
        found.skip("not reached: sizes are unknown")
    elif module:
        function_named(module, function)
        found.take("lint", lambda: found.add("lint", _suspicions(module)))
        sums = partial(prove, module, function=function, seconds=seconds, progress=progress)
        found.take("prove", lambda: found.prove(sums(dict(ranges or {})), bool(ranges)))
        found.take("run", lambda: found.add("run", _first_run(module, args, function, Work(seconds))))
    return found.answer(several(ignore, "rules"), strict)


class _Stages:
    """The stages so far: remarks, and what was done."""

    def __init__(self, wanted: frozenset[str], mode: str) -> None:
        self.wanted, self.mode = wanted, mode
        self.remarks: list[Remark] = []
        late = "not reached: an earlier stage failed"
        self.skipped = {stage: late if stage in wanted else "not asked for" for stage in STAGES}

    def take(self, stage: str, do: Callable[[], Any]) -> Any:
        """Return what a stage gives; None, and a remark, if it raises an error."""
        if stage not in self.wanted:
            return None
        self.skipped[stage] = ""
        try:
            return do()
        except InterpError as error:
            rule = type(error).__name__.lower()
            self.remarks.append(Remark(stage, rule, ERROR, error.verdict, error.evidence, error.where))
            return None

    def skip(self, why: str) -> None:
        """Say why no further stage takes place."""
        asked = self.wanted.intersection(("lint", "prove", "run"))
        self.skipped |= dict.fromkeys(asked, why)

    def add(self, stage: str, remarks: Iterator[Remark]) -> None:
        self.remarks += remarks

    def load(self, program: Program, dims: Mapping[str, int] | None) -> Module:
        return as_written(program, self.mode, partial(load, program, dims=dims))

    def verify(self, module: Module) -> Module | None:
        """Return the module, or None if it violates constraints, which are remarks."""
        violations = verify(module, mode=self.mode)
        self.add("verify", (_violation(each) for each in violations))
        return None if violations else module

    def prove(self, proof: Proof, is_conditional: bool) -> None:
        """Add what a proof refutes or leaves open, and drop suspicions of what it proves for every input."""
        held = set() if is_conditional else {row.name for row in proof.rows if _holds_anyway(row)}
        self.remarks = [each for each in self.remarks if each.rule != OVERFLOW or each.name not in held]
        self.add("prove", _sums(proof))

    def answer(self, ignore: Collection[str], strict: bool) -> Check:
        counting = [each for each in self.remarks if each.rule not in ignore]
        ignored = Counter(each.rule for each in self.remarks if each.rule in ignore)
        stages = {}
        for stage, why in self.skipped.items():
            number = sum(each.stage == stage for each in counting)
            stages[stage] = why or (f"{number} remark{'s' * (number != 1)}" if number else "no remarks")
        return Check(tuple(counting), stages, ignored, strict)


def _inputs(module: Module) -> str:
    return ", ".join(f"{value.title}: {value.type!r}" for value in module.main.inputs)


def _violation(each: Violation) -> Remark:
    return Remark("verify", each.code, ERROR, each.formula, each.evidence, each.where)


def _suspicions(module: Module) -> Iterator[Remark]:
    for each in lint(module):
        evidence = f"{each.title}: {each.evidence}" if each.name else each.evidence
        yield Remark("lint", each.code, WARNING, each.rule, evidence, each.where, each.name)


def _holds_anyway(row: Row) -> bool:
    return row.verdict == PROVED and row.judgement.scope in (ANY_ORDER, ANY_SCHEDULE)


def _sums(proof: Proof) -> Iterator[Remark]:
    for row in proof.rows:
        if row.verdict in SUMS:
            yield Remark("prove", *SUMS[row.verdict], repr(row), row.judgement.op.location, row.name)


def _first_run(module: Module, args: tuple[Any, ...], function: str, work: Work) -> Iterator[Remark]:
    """Run, on drawn arguments if there are none, and look for numbers that are not finite."""
    func = function_named(module, function)
    given = args or random_arguments(func, 0)
    results = work.attempt(lambda: run(module, *given, function=function))
    if results is None:
        drawn = "" if args else "a loop may count to a drawn argument: give arguments"
        yield Remark("run", *NOT_FINISHED, drawn)
    for k, result in enumerate(results or ()):
        if all(map(_is_finite, given)) and not _is_finite(result):
            yield Remark(
                "run", *NOT_FINITE, f"result {k} of {'the arguments' if args else 'drawn arguments'}"
            )


def _is_finite(x: Any) -> bool:
    array = np.asarray(x)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())
