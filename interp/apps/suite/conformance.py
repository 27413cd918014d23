"""`conformance`: judges, case by case, whether an implementation's results are permitted.

Answers are judged in the dequantize reading of quantized operations (`spec.readings`), and if wrong there,
also in the integer reading: if that permits them, they conform, and the report says so. Answers that the
judge cannot decide are counted separately from those that are wrong in both readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from interp.apps.suite.cases import CASES, Arrays, Case, discover, same, to_storage
from interp.apps.suite.implementations import (
    TIMEOUT,
    Answered,
    Implementation,
    Named,
    Question,
    ask_all,
    implementation,
    name_of,
)
from interp.apps.suite.outcome import Evidence, Outcome
from interp.apps.suite.report import Report
from interp.apps.suite.report_files import ReportFiles
from interp.backends.dtypes import numpy_dtype
from interp.engine.storage import storage_range
from interp.engine.work import Work
from interp.loading.load import load
from spec.accumulator import DEQUANTIZE, INTEGER
from spec.attributes import Dense, dense_text
from spec.errors import InterpError, Malformed, several, whole
from spec.ir import Module
from spec.readings import ANY, reading_of
from spec.recipes import RECIPES
from spec.types import TensorType

LIMIT = 20_000  # applications of a body in the search for a schedule that permits one answer


def conformance(
    impl: Named = "numpy",
    *,
    filter: str | Iterable[str] = (),
    ops: str | Iterable[str] = (),
    cases: str | Path = CASES,
    timeout: float = TIMEOUT,
    jobs: int = 1,
    junit: str | Path | None = None,
    json: str | Path | None = None,
    html: str | Path | None = None,
    seconds: float | None = None,
    progress: Callable[[Outcome, int], None] = lambda outcome, total: None,
) -> Report:
    """Run the conformance cases on an implementation, judge its answers and return a `Report`.

    `impl` is a built-in implementation (`implementations.NAMES`), a command that gets every program in files,
    `server:COMMAND`, one process that answers many cases, or a function: docs/conformance.md defines what
    each gets. `filter` has words: only cases whose ids contain one of them run, all of them by default.
    `ops`: only cases whose programs have one of these operations (`["reduce", "dot_general"]`). `cases` is
    another folder of cases. An answer may take `timeout` seconds; for that of a function there is no limit.
    `jobs` cases are asked at a time. After `seconds` no further case is asked. `junit`, `json` and `html`
    name files to write the report to. `progress` is called with each outcome and the number of cases.

    >>> interp.conformance("numpy", filter="quantized/divide").ok
    True
    """
    files = ReportFiles(junit, json, html)
    files.check()
    chosen = choose_cases(Path(cases), several(filter, "words"), several(ops, "operations"))
    work, jobs = Work(seconds), max(1, whole(jobs, "jobs"))
    tested, outcomes = implementation(impl, timeout, jobs), []
    try:
        questions = map(question_of, work.through("cases", chosen))
        for answered in ask_all(tested, questions, jobs):
            outcomes.append(judge_answer(answered))
            progress(outcomes[-1], len(chosen))
    finally:
        tested.close()
    report = Report(name_of(impl), tuple(outcomes), tuple(work.covered))
    files.write(report)
    return report


def choose_cases(folder: Path, words: Sequence[str], ops: Sequence[str]) -> list[Case]:
    """Return the cases whose ids contain one of the words, and whose programs one of the operations."""
    cases = discover(folder, *words)
    if not cases:
        verdict = f"no cases in {folder}" + f" match {', '.join(words)}" * bool(words)
        raise Malformed(verdict, "expected <op>/<case>.mlir below it: name another folder, or other words")
    found = {case.id: case.operations for case in cases}
    known = set().union(*found.values())
    if absent := [op for op in ops if op not in known]:
        advice = f"cases have {', '.join(sorted(known))}"
        raise Malformed(f"no case has the operation {', '.join(absent)}", advice)
    return [case for case in cases if not ops or found[case.id].intersection(ops)]


def question_of(case: Case) -> Question:
    """Return what an implementation is asked."""
    module = program(case.path, case.dialect, case.is_verified)
    return Question(case, module, case.args if case.args is not None else zeros(module))


def outcome_of(case: Case, tested: Implementation) -> Outcome:
    """Ask the implementation, and judge its answer."""
    (answered,) = ask_all(tested, [question_of(case)])
    return judge_answer(answered)


def judge_answer(answered: Answered) -> Outcome:
    """Judge the answer of an implementation."""
    (case, module, given), reply, seconds = answered
    args = tuple(given)
    reading, recipes = ANY, None
    if reply.kind == "results":
        verdict, conforms, mistake, detail = judge_results(case, module, args, reply.results)
        reading = judged_in(case, module, reply.results)
        if module and reply.how and reading != ANY:
            recipes = recipes_of(module, args, reply.results, case.mode)
        if module and verdict == "wrong" and reading != ANY:
            verdict, reading = elsewhere(module, args, reply.results, case.mode)
            conforms, mistake = conforms or verdict == "permitted", "" if verdict == "permitted" else mistake
        if reply.how and verdict in ("wrong", "unknown"):
            detail = f"{', '.join(reply.how)}: {detail}"
    else:
        other = refuses_otherwise(case, reply.code)
        refusal = reply.kind == "refused" and optional(case) and not other
        verdict, conforms, mistake, detail = reply.kind, refusal, "", other or reply.message
    evidence = evidence_of(answered) if verdict == "wrong" else None
    return Outcome(case, verdict, conforms, mistake, detail, seconds, reading, reply.how, recipes, evidence)


def evidence_of(answered: Answered) -> Evidence | None:
    """Return wrong results with their program, unless they have another number or type than its results."""
    (case, module, args), reply, _ = answered
    if module is None or case.constraint or len(reply.results) != len(module.main.results):
        return None
    pairs = zip(reply.results, module.main.results, strict=True)
    results = tuple(y for x, type in pairs if (y := to_storage(x, type)) is not None)
    whole = len(results) == len(module.main.results)
    return Evidence(module, tuple(args), results, case.mode) if whole else None


def judged_in(case: Case, module: Module | None, given: Arrays) -> str:
    """Return the reading of quantized operations for which a verdict on results holds.

    Results of a program that violates a constraint, and results of another type, are wrong in any reading.
    """
    types = module.main.results if module else ()
    if module is None or case.constraint or len(given) != len(types):
        return ANY
    is_stored = all(to_storage(x, type) is not None for x, type in zip(given, types, strict=True))
    return reading_of(module) if is_stored else ANY


def elsewhere(module: Module, args: Arrays, given: Arrays, mode: str) -> tuple[str, str]:
    """Return the verdict on results that are wrong in the dequantize reading, and the reading it holds for.

    The accumulators of an implementation are assumed to have 32 bits.
    """
    from interp.questions.permitted.permits import permits

    types = module.main.results
    results = [to_storage(x, type) for x, type in zip(given, types, strict=True)]
    try:
        found = permits(module, args, results, mode=mode, limit=LIMIT, reading=INTEGER)
    except InterpError:  # the integer reading refuses the program, or its judge does
        return "wrong", DEQUANTIZE
    if found.ok:
        return "permitted", INTEGER
    return "wrong", ANY if found.is_refuted else DEQUANTIZE


def optional(case: Case) -> bool:
    """Return whether an implementation may refuse a program: an invalid one, or one in the RFC's form."""
    return bool(case.constraint) or case.mode == "mlir" or case.dialect == "rfc"


def refuses_otherwise(case: Case, code: str) -> str:
    """Return, in words, that a program is refused by another constraint than the one it breaks, or ""."""
    expected = case.violations.get(case.mode) or next(filter(None, case.violations.values()), "")
    return f"refused by {code}, not by {expected}" if code and expected and code != expected else ""


@lru_cache(maxsize=1024)
def program(path: Path, dialect: str, checked: bool) -> Module | None:
    """Return the program of a case, or None if jaxlib refuses it, as it must."""
    try:
        return load(path, dialect=dialect, checked=checked)
    except Malformed:
        if checked:
            raise
        return None


def zeros(module: Module | None) -> Arrays:
    """Return arguments for a case that has none: stored zeros, or the numbers in range nearest to zero."""
    types = [value.type for value in module.main.inputs] if module else []
    bounds = [(0, 0) if not t.is_quantized else storage_range(t.element_type) for t in types]
    return tuple(
        np.full(t.shape, min(max(0, low), high), numpy_dtype(t.storage_type))
        for t, (low, high) in zip(types, bounds, strict=True)
    )


def judge_results(
    case: Case, module: Module | None, args: Arrays, given: Arrays
) -> tuple[str, bool, str, str]:
    """Return the verdict on results, whether they conform, the known mistake in them and a detail."""
    if case.constraint:
        tolerated = case.is_tolerated
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
    results = [y for x, t in zip(given, types, strict=True) if (y := to_storage(x, t)) is not None]
    if len(results) < len(types):
        return (
            "wrong",
            False,
            "",
            "; ".join(
                unlike(x, t, k)
                for k, (x, t) in enumerate(zip(given, types, strict=True))
                if to_storage(x, t) is None
            ),
        )
    expect = case.expect or by_schedule(module, args, "left", case.mode)
    if agree(results, expect):
        return "exact", True, "", ""
    if schedule := next((answer.name for answer in case.permitted if agree(results, answer.results)), ""):
        return "permitted", True, "", schedule
    detail = f"expected {text(expect)}, given {text(results)}"
    if mistake := next((answer.name for answer in case.wrong if agree(results, answer.results)), ""):
        return "wrong", False, mistake, detail
    if case.any_schedule:
        return "wrong", False, "", detail
    return search_schedules(case, module, args, results, detail)


def unlike(x: np.ndarray, type: TensorType, k: int) -> str:
    """Return, in words, how an array differs from a result's type; "" if it does not."""
    integers = x.shape == type.shape and x.dtype.kind in "iu" and type.storage_type.is_integer
    what = f"has values beyond {type.storage_type}" if integers else f"is {x.shape} {x.dtype}"
    return f"result {k} {what}, not {type!r}"


def search_schedules(
    case: Case, module: Module, args: Arrays, results: Sequence[np.ndarray], detail: str
) -> tuple[str, bool, str, str]:
    """Return a verdict on results that the case does not list: some schedule may give them."""
    from interp.questions.permitted.permits import permits

    found = permits(module, args, results, mode=case.mode, limit=LIMIT)
    if found.ok:
        names = sorted({str(name) for schedules in found.schedules for name in schedules.ravel()})
        return "permitted", True, "", ", ".join(names)
    if found.is_refuted:
        return "wrong", False, "", detail
    return "unknown", True, "", detail


def by_schedule(module: Module, args: Arrays, schedule: str, mode: str) -> Arrays:
    from interp.execute.run import run

    return tuple(result.storage for result in run(module, *args, schedule=schedule, mode=mode))


def agree(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    return len(results) == len(expected) and all(map(same, results, expected))


def text(arrays: Iterable[np.ndarray]) -> str:
    return "; ".join(np.array2string(x, separator=", ", threshold=16).replace("\n", "") for x in arrays)


# Search for the recipes of requantization that give an implementation's results


def recipes_of(module: Module, args: Arrays, given: Arrays, mode: str) -> tuple[str, ...]:
    """Return the recipes with which the integer reading gives exactly these results."""
    wanted = [to_storage(x, type) for x, type in zip(given, module.main.results, strict=True)]

    def gives(recipe: str) -> bool:
        from interp.execute.run import run

        try:
            results = run(module, *args, mode=mode, reading=INTEGER, recipe=recipe)
        except InterpError:  # the integer reading refuses the program, or the recipe is not defined for it
            return False
        return all(y is not None and same(x.storage, y) for x, y in zip(results, wanted, strict=True))

    return tuple(filter(gives, RECIPES))


# Text of a conformance case (`cases.py`): comments with its inputs and results, and the program


OTHERS = ("balanced", "blocks(32)")


def case_text(
    module: Module,
    args: Sequence[np.ndarray],
    clause: str,
    why: Sequence[str],
    more: Sequence[str] = (),
    mode: str = "strict",
) -> str:
    """Return the text of a case; `why` are lines before the arguments, `more` lines after the results."""
    types, args = module.main.results, tuple(args)
    given = {tree: by_schedule(module, args, tree, mode) for tree in ("left", *OTHERS)}
    expect = dense(given["left"], types)
    lines = [
        f"clause: {clause}",
        *(["mode: mlir"] if mode == "mlir" else []),
        *(["dialect: rfc"] if module.dialect == "rfc" else []),
        *why,
        "derivation: interp.run under the schedule `left`",
        *(f"args: {text}" for text in dense(args, [value.type for value in module.main.inputs])),
        *(f"expect: {text}" for text in expect),
    ]
    for tree in OTHERS:
        if (texts := dense(given[tree], types)) != expect:
            lines.append(f"permitted ({tree}): {'; '.join(texts)}")
    return "".join(f"// {line}\n" for line in (*lines, *more)) + repr(module) + "\n"


def dense(arrays: Sequence[np.ndarray], types: Sequence[TensorType]) -> list[str]:
    """Return stored elements as MLIR constants of the storage type."""
    return [
        dense_text(Dense(TensorType(type.shape, type.storage_type), np.ascontiguousarray(x).tobytes()))
        for x, type in zip(arrays, types, strict=True)
    ]
