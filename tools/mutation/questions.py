"""Questions to a mutant: the suite's cases by each schedule, and random programs as witnesses."""

from __future__ import annotations

import hashlib
import importlib
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mutation.lines import Line, executed
from mutation.operators import ROOT
from mutation.trial import FORK, forget

SMALL = "left, small"  # the schedule `left` with thresholds of speed so small that a dozen leaves pass them
ORDERS = "left", "balanced", "blocks(2)", "random(3)", SMALL  # each is an implementation for the suite
THRESHOLDS: Mapping[str, Mapping[str, Any]] = {
    "interp.speed.numpy_impl": {"BLOCK": 4, "FEW_COLUMNS": 2, "LONG": 2, "BOX": 8, "PART": 2, "ROWS": 2},
    "interp.speed.jax_impl": {"BOX": 4},
    "interp.speed.saturating_fold": {"TRIED": (1, 2), "FEW": 4},
    "interp.speed.choice": {"BLOCK": 3},
    "interp.backends.numpy_backend": {"BOX": 5},
}
FOLDS = "reduce", "reduce_window", "select_and_scatter"
INPUTS = "spec/**/*.py", "interp/**/*.py", "tools/mutation/*s.py"
WITNESSES = 100  # of each family


class Question(NamedTuple):
    """A program, put to the engine in one of its orders, which gives `answer`; a witness has no case.

    `eager` and `traced`: the lines it executes; `text`: a digest as lowered.
    """

    name: str
    module: Any
    args: tuple[np.ndarray, ...]
    order: str
    case: Any = None
    answer: Any = None
    eager: frozenset[Line] = frozenset()
    traced: frozenset[Line] = frozenset()
    text: str = ""

    @property
    def mode(self) -> str:
        return self.case.mode if self.case else "mlir"


class Killers(NamedTuple):
    """Questions, first the suite's, `cases` of them, and the lines that importing the engine executes."""

    questions: Sequence[Question]
    cases: int
    always: frozenset[Line]


def killers(compiled: bool, witnesses: bool) -> Killers:
    """Return all questions with what each executes, from the file where that is kept."""
    digest = hashlib.sha256()
    for file in sorted(path for pattern in INPUTS for path in ROOT.glob(pattern)):
        digest.update(file.read_bytes())
    kept = ROOT / "build" / f"questions-{digest.hexdigest()[:16]}{'-compiled' * compiled}.pickle"
    kept.parent.mkdir(exist_ok=True)
    process = FORK.Process(target=_record, args=(kept, compiled, witnesses))  # MLIR and XLA start threads
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("the suite could not be recorded")
    return pickle.loads(kept.read_bytes())[0]


def _record(kept: Path, compiled: bool, witnesses: bool) -> None:
    """Find what new and changed questions execute, and keep it with what is known of the others."""
    known = pickle.loads(kept.read_bytes())[1] if kept.exists() else {}
    asked = {**dict(_cases(known)), **(dict(_witnesses(known)) if witnesses else {})}
    imported = dict(sys.modules)
    forget()
    always = executed(_afresh)
    tried = {key: known.get(key) or _covered(question, compiled) for key, question in asked.items()}
    found = {key: question for key, question in tried.items() if question}
    sys.modules.update(imported)  # pickle looks up the classes of cases
    questions = sorted(found.values(), key=lambda question: question.case is None)
    cases = sum(question.case is not None for question in questions)
    kept.write_bytes(pickle.dumps((Killers(questions, cases, always), {**known, **found})))


def _cases(known: Mapping[Any, Question]) -> Iterator[tuple[Any, Question]]:
    from interp.apps.suite.conformance import CASES, discover, program

    cases = [case for case in discover(CASES) if case.expect]
    for order in ORDERS:
        for case in cases:
            key = case.text, order
            if key in known:
                yield key, known[key]._replace(case=case)
            elif order == "left" or case.op in FOLDS:
                module = program(case.path, case.dialect, case.is_verified)
                yield key, Question(case.id, module, case.args, order, case)


def _witnesses(known: Mapping[Any, Question]) -> Iterator[tuple[Any, Question]]:
    """Random programs of all families, those at the edges of fast paths included, order after order."""
    if kept := {key: q for key, q in known.items() if key[0] == "witness"}:
        yield from kept.items()
        return
    from mutation.corpus import examples
    from tests import test_fast_paths, test_windows
    from tests.library.strategies import (
        dynamic_programs,
        indexing_programs,
        kernel_programs,
        op_programs,
        sorting_programs,
    )
    from tests.library.strategies.programs import reduce_windows, reduces, select_and_scatters

    reductions = {"reduce": reduces(), "window": reduce_windows(), "scatter": select_and_scatters()}
    edges = {"closed": test_fast_paths.programs(), "pool": test_windows.pools()}
    indexing = {"gather": indexing_programs.gathers(), "slice": indexing_programs.dynamic_slices()}
    indexing |= sorting_programs.FAMILIES | dynamic_programs.FAMILIES
    families = {**edges, **reductions, **op_programs.FAMILIES, **indexing, **kernel_programs.FAMILIES}
    for family, strategy in families.items():
        folded = family in edges or family in reductions
        size = WITNESSES * (8 if family in edges else 1)
        for k, (module, args) in enumerate(examples(strategy, size)):
            order = ORDERS[(0, 4, 1, 4, 2, 4, 3)[k % 7]] if folded else "left"
            yield ("witness", family, k), Question(f"{family} {k}", module, args, order)


def _covered(question: Question, compiled: bool) -> Question | None:
    """Add what a question executes, on an engine that remembers nothing of other questions.

    None, and a line that says so, where the suite refutes what the unchanged engine gives in an order.
    """
    _forget_results()
    found: list[Any] = []
    eager = executed(lambda: found.append(answered(question, compiled=False)))
    if question.case and not conforms(question, found[0]):
        print(f"{question.name}, {question.order}: fails without any mutation: {found[0]}", flush=True)
        return None
    question = question._replace(answer=found[0], eager=eager)
    if question.order != "left" or not compiled or not question.case:
        return question
    _forget_results()
    traced = executed(lambda: found.append(lowered(question)))
    return question._replace(traced=traced, text=found[1])


def _afresh() -> None:
    forget()
    importlib.import_module("interp.kernels")
    importlib.import_module("interp.execute.run")


def _forget_results() -> None:
    """Empty the caches of the engine's functions, so that a question executes all lines that it needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith("interp."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def answered(question: Question, compiled: bool) -> list[np.ndarray] | str:
    """Return the engine's results, or a description of its failure."""
    options = {"schedule": question.order.partition(",")[0], "mode": question.mode}
    before = tuned(THRESHOLDS) if question.order == SMALL else {}
    try:
        if compiled:
            from interp.execute.compile import compile

            return [np.asarray(x) for x in compile(question.module, **options)(*question.args)]
        from interp.execute.run import run

        return [x.storage for x in run(question.module, *question.args, **options)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        tuned(before)


def tuned(thresholds: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Set thresholds of speed; return those before."""
    before: dict[str, dict[str, Any]] = {}
    for name, values in thresholds.items():
        module = importlib.import_module(name) if name not in sys.modules else sys.modules[name]
        before[name] = {key: getattr(module, key) for key in values}
        vars(module).update(values)
    return before


def lowered(question: Question) -> str:
    """Return a digest of the program as plain StableHLO, as JAX hands it to XLA."""
    try:
        from interp.execute.compile import lower_to_jax

        options = {"schedule": "left", "function": "main", "mode": question.mode}
        text = lower_to_jax(question.module, **options, contractions="fold").as_text()
    except Exception as error:
        text = type(error).__name__
    return hashlib.sha256(text.encode()).hexdigest()


def conforms(question: Question, answer: list[np.ndarray] | str) -> bool:
    """Return whether the suite accepts the answer to a case, which has to run; a witness knows its own."""
    from interp.apps.suite.cases import same
    from interp.apps.suite.conformance import judge_results

    if isinstance(answer, str) or not question.case:
        return (
            not isinstance(answer, str)
            and not isinstance(question.answer, str)
            and len(answer) == len(question.answer)
            and all(map(same, answer, question.answer))
        )
    with np.errstate(all="ignore"):
        return judge_results(question.case, question.module, question.case.args, tuple(answer))[1]
