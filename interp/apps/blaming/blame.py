"""`blame`: which pass of XLA, or which operations of another implementation, make the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from interp.apps.blaming.answer import Blame
from interp.apps.blaming.cut import Flat, evaluate, flat
from interp.apps.blaming.death import FatalSlicer, Survival
from interp.apps.blaming.search import Search, largest
from interp.apps.blaming.search import options as with_switches
from interp.apps.blaming.slices import Slice, Slicer
from interp.apps.diagnosing.diagnose import SECONDS, diagnose
from interp.apps.diagnosing.diagnosis import Diagnosis
from interp.apps.diagnosing.search import differing
from interp.apps.suite.cases import Case
from interp.apps.suite.implementations import Implementation, Question, implementation
from interp.backends import Array
from interp.engine.arguments import accept_arguments
from interp.engine.limits import refuse_sizes
from interp.engine.work import Covered, Progress, Work, beat
from interp.execute.refusals import refuse_bundles
from interp.execute.run import run, runnable
from interp.execute.xla_process import XlaDied, passes_apart, run_apart
from interp.questions.permitted.element_verdicts import WITHIN
from interp.questions.permitted.permits import permits
from interp.questions.permitted.results import accept_results
from interp.rewrite.float_reference import entry_module
from spec.accumulator import DEQUANTIZE, INTEGER
from spec.errors import InterpError, Unsupported
from spec.ir import Module
from spec.schedule import Schedule, parse
from spec.types import is_tensor

JUDGED = 3.0  # seconds for the question whether a slice's results are permitted
TRIALS = 400  # runs of a diagnosis, on a slice
SIZE = 1 << 16  # elements of a slice that is diagnosed
ENGINE = "the program as written, by the engine"

Against = str | Implementation | Callable[..., Any] | None


def blame(
    module: Module,
    *args: Any,
    against: Against = None,
    options: Mapping[str, Any] | None = None,
    slices: bool = True,
    function: str = "main",
    mode: str = "mlir",
    schedule: str | Schedule = "left",
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Blame:
    """Return what makes the results of XLA, or of another implementation, differ from the program's.

    By default: which passes of XLA's compiler make the difference between what XLA computes on a CPU and the
    program as written. They are switched off one by one, then together and by halves; `options` are those of
    XLA's compiler with which it differs (`{"xla_disable_hlo_passes": "cse"}`). XLA runs in a process of its
    own; if it dies or hangs, the passes are named without which it does not. against: another implementation
    instead: a name or a command of `interp conformance --impl`, an implementation of its protocol, or a
    function that takes the program's arguments and returns its results.

    Then the smallest slice is found on which the difference is still there: operations of the program on the
    values that they got. It is run again, as a slice is compiled in another way than the whole program. Of a
    slice that no pass explains, `diagnose` names the deviations. A function of arrays alone runs no slices:
    `diagnose` looks at the whole program. slices: look for slices, which takes most of the time.

    seconds: a deadline; the answer says what was not tried. Whatever it is, the program runs once by the
    engine and once by the other; later, a run of XLA that has begun is waited for. progress: called with what
    is done, how many steps of it are done, and of how many (0 if that is not known). schedule, mode: as for
    `run`.
    """
    start, work = monotonic(), Work(seconds, progress)
    notes: list[str] = []
    program = module if against is not None else plain(module, function, notes)
    func = runnable(program, function, mode)
    refuse_bundles(func, "blamed")
    refuse_sizes(program, func)
    stored = accept_arguments(func, args)
    small = evaluate(flat(program, func), stored, repr(parse(schedule)), mode)
    whole = program if func is program.main else entry_module(program, func)
    case = Comparing(
        whole, stored, small, repr(parse(schedule)), mode, work, notes, _step(module, function), slices
    )
    if against is None:
        fields = case.with_xla(dict(options or {}))
    elif callable(against) and not hasattr(against, "close"):
        fields = case.with_results(against)
    else:
        fields = case.with_implementation(against)
    covered = tuple(work.covered)
    return Blame(func.name, notes=tuple(notes), covered=covered, seconds=monotonic() - start, **fields)


def plain(module: Module, function: str, notes: list[str]) -> Module:
    """Return what XLA runs: the program as it was exported, or without quantized types if it has some."""
    written = module.as_written
    if not _is_quantized(written):
        return written
    from interp.execute.lower import lower

    notes.append("XLA takes no quantized types: it ran what `interp lower` makes of the program")
    return lower(module, function=function)


def _is_quantized(module: Module) -> bool:
    values = [v for func in module.functions.values() for v in func.inputs]
    values += [v for op in module.ops() for v in (*op.operands, *op.results)]
    return any(is_tensor(v.type) and v.type.is_quantized for v in values)


def _step(module: Module, function: str) -> float | None:
    """Return the scale of the first result, if it dequantizes a value of one scale."""
    body = module[function].body
    value = next(iter(body.returns), None)
    op = next((op for op in body.ops if value is not None and value in op.results), None)
    if op is None or op.name != "stablehlo.uniform_dequantize":
        return None
    type = op.operand.type.quantized_element_type
    return float(type.scales[0]) if type.is_per_tensor else None


@dataclass
class Comparing:
    """A function with its values by the engine, to be compared with those of others.

    whole: the program with the function as @main. step: the step of its first result, None if it has none.
    slices: whether to look for slices.
    """

    whole: Module
    args: Sequence[Array]
    program: Flat
    schedule: str
    mode: str
    work: Work
    notes: list[str]
    step: float | None
    slices: bool = True

    def with_xla(self, base: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the answer on XLA."""
        search = Search(
            _run_apart, _passes_apart, self.whole, self.args, base, self.program.results, self.work
        )
        try:
            culprits = search.culprits()
        except XlaDied as error:
            return self._with_death(base, error.verdict)
        together = search.together
        rows = [*search.rows, *([together] if together and len(together.off) > 1 else [])]
        slices = []
        for each in culprits:
            others = [other for other in culprits if other is not each]
            left, right = with_switches(base, others), with_switches(base, culprits)
            slices.append(self._slice(_on_xla(left), _on_xla(right), str(each)))
        reference = f"{ENGINE}, schedule {self.schedule}"
        expected = search.expected
        if not search.by_engine and culprits:
            reference = "XLA without any of its passes that can be off"
        elif not search.repeats:
            self.notes.append("XLA does not give the same results twice: nothing was searched")
        elif not culprits and differing(search.default, self.program.results):
            expected = self.program.results
            slices.append(self._slice(_on_xla(base), self._engine, ""))
        remaining = 0 if search.by_engine else differing(search.expected, self.program.results)
        return {
            **self._fields("XLA on a CPU", reference, search.default, expected),
            "passes": tuple(map(str, culprits)),
            "rows": tuple(rows),
            "remaining": remaining if culprits else 0,
            "slices": tuple(each for each in slices if each is not None),
            "diagnosis": self._diagnosis(slices),
        }

    def _with_death(self, base: dict[str, Any], failure: str) -> dict[str, Any]:
        """Return the fields of the answer where XLA's process died or hung, as `failure` says."""
        search = Survival(
            _run_apart, _passes_apart, self.whole, self.args, base, self.program.results, self.work
        )
        culprits = search.culprits()
        right = _on_xla(with_switches(base, culprits)) if culprits else self._engine
        slicer = FatalSlicer(self.program, _on_xla(base), right, self.work, self.schedule, self.mode)
        found = self._smallest(slicer, " and ".join(map(str, culprits)))
        size = sum(x.size for x in self.program.results)
        return {
            "implementation": "XLA on a CPU",
            "reference": f"{ENGINE}, schedule {self.schedule}",
            "unequal": size,
            "size": size,
            "largest": 0.0,
            "step": self.step,
            "passes": tuple(map(str, culprits)),
            "rows": (*search.rows, *([search.together] if search.together else [])),
            "remaining": 0,
            "slices": () if found is None else (found,),
            "diagnosis": None,
            "failure": failure,
        }

    def with_implementation(self, against: Any) -> dict[str, Any]:
        """Return the fields of the answer on an implementation of the suite's protocol."""
        name = against if isinstance(against, str) else type(against).__name__
        tested = implementation(against) if isinstance(against, str) else against
        try:
            ask = partial(ask_implementation, tested, self.mode)
            theirs, slices = ask(self.whole, self.args), []
            if differing(theirs, self.program.results):
                again = self.work.attempt(lambda: ask(self.whole, self.args))
                if again is not None and differing(theirs, again):
                    self.notes.append(f"{name} does not give the same results twice: nothing was searched")
                else:
                    slices = [self._slice(ask, self._engine, "")]
        finally:
            if isinstance(against, str):
                tested.close()
        return {
            **self._fields(name, f"{ENGINE}, schedule {self.schedule}", theirs, self.program.results),
            **_without_passes(slices),
            "diagnosis": self._diagnosis(slices),
        }

    def with_results(self, against: Callable[..., Any]) -> dict[str, Any]:
        """Return the fields of the answer on a function of arrays, which cannot run a slice."""
        found = against(*self.args)
        theirs = accept_results(self.whole.main, list(found) if isinstance(found, tuple | list) else [found])
        diagnosis = None
        if differing(theirs, self.program.results):
            self.notes.append("a function of arrays runs the whole program only: no slice was cut")
            main = self.program.module
            diagnosis = self._deviations(main, self.args, theirs)
        name = getattr(against, "__name__", type(against).__name__)
        return {
            **self._fields(name, f"{ENGINE}, schedule {self.schedule}", theirs, self.program.results),
            **_without_passes([]),
            "diagnosis": diagnosis,
        }

    def _fields(
        self, name: str, reference: str, theirs: Sequence[Array], expected: Sequence[Array]
    ) -> dict[str, Any]:
        return {
            "implementation": name,
            "reference": reference,
            "unequal": differing(theirs, expected),
            "size": sum(x.size for x in theirs),
            "largest": largest(theirs, expected),
            "step": self.step,
        }

    def _engine(self, module: Module, args: Sequence[Array]) -> list[Array]:
        return [x.storage for x in run(module, *args, schedule=self.schedule, mode=self.mode)]

    def _slice(self, left: Any, right: Any, cause: str) -> Slice | None:
        slicer = Slicer(self.program, left, right, self.work, self.schedule, self.mode)
        return self._smallest(slicer, cause)

    def _smallest(self, slicer: Slicer, cause: str) -> Slice | None:
        if not self.slices:
            return None
        found = slicer.smallest(cause)
        of = f" of {cause}" if cause else ""
        if found is None and not self.work.is_over:
            self.notes.append(f"no slice{of}: where calls are replaced by their bodies, nothing differs")
        if slicer.refused and found is not None:
            refused = f"{slicer.refused} of the slices{of} that were tried gave no results"
            self.notes.append(f"{refused}: a smaller one may differ")
        return None if found is None else replace(found, permitted=self._reading_that_permits(found))

    def _reading_that_permits(self, found: Slice) -> str:
        """Return the reading in which some schedule gives a slice's results, "" if none is known to."""
        if found.failure or sum(x.size for x in (*found.args, *found.theirs)) > SIZE:
            return ""
        for reading in (DEQUANTIZE, INTEGER) if _is_quantized(found.module) else (DEQUANTIZE,):
            options: dict[str, Any] = {"mode": self.mode, "reading": reading}
            options["seconds"] = min(JUDGED, self.work.left)
            try:
                judged = self.work.attempt(
                    partial(permits, found.module, found.args, found.theirs, **options)
                )
            except InterpError:
                continue
            if judged is not None and not judged.partial and set(judged.places) == {WITHIN}:
                return reading
        return ""

    def _diagnosis(self, slices: Sequence[Slice | None]) -> Diagnosis | None:
        """Return the deviations that reproduce the implementation's results on the first slice."""
        known = next((each for each in slices if each is not None), None)
        if known is None or known.failure or not known.by_engine:
            return None  # a slice that the engine computes otherwise has differences of another cause
        if (size := sum(x.size for x in (*known.args, *known.theirs))) > SIZE:
            self.notes.append(
                f"no diagnosis of {size:,} elements, more than {SIZE:,}: interp.diagnose samples them"
            )
            return None
        return self._deviations(known.module, known.args, known.theirs)

    def _deviations(self, module: Module, args: Sequence[Array], theirs: Sequence[Array]) -> Diagnosis | None:
        """Return which deviations reproduce results, as far as the deadline allows."""
        ways: dict[str, Any] = {"mode": self.mode, "schedule": self.schedule, "limit": TRIALS}
        ways |= {"seconds": min(SECONDS, self.work.left), "progress": self.work.progress}
        try:
            found = self.work.attempt(lambda: diagnose(module, args, theirs, **ways))
        except InterpError as error:
            self.notes.append(f"no diagnosis: {error.args[0]}")
            return None
        if self.work.is_over and (found is None or found.partial):
            self.work.covered.append(Covered("diagnoses", 0, 1, self.work.seconds))
        return found


def _without_passes(slices: Sequence[Slice | None]) -> dict[str, Any]:
    known = tuple(each for each in slices if each is not None)
    return {"passes": (), "rows": (), "remaining": 0, "slices": known}


def _run_apart(module: Module, args: Sequence[Array], options: Mapping[str, Any]) -> list[Array]:
    beat()  # ends what comes too late
    return run_apart(module, args, dict(options) or None)


def _passes_apart(module: Module, options: Mapping[str, Any]) -> list[str]:
    beat()
    return passes_apart(module, dict(options) or None)


def _on_xla(options: Mapping[str, Any]) -> Callable[[Module, Sequence[Array]], list[Array]]:
    return lambda module, args: _run_apart(module, args, options)


def ask_implementation(
    tested: Implementation, mode: str, module: Module, args: Sequence[Array]
) -> list[Array]:
    """Return the results of an implementation of the suite's protocol; `Unsupported` if it gives none."""
    beat()
    arrays = tuple(args)
    case = Case("blame", Path("blame.mlir"), repr(module), "", mode, "stablehlo", arrays, (), (), (), {}, "")
    reply = tested(Question(case, module, arrays))
    if reply.kind != "results":
        raise Unsupported(f"the implementation gives no results: {reply.kind}", reply.message)
    return accept_results(module.main, [np.asarray(x) for x in reply.results])
