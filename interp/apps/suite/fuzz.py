"""`fuzz`: runs random programs on an implementation, judges each answer, and shrinks each failure.

Programs are single reductions, matrix products, scatters and sorts (`generate`), or chains of plain
operations whose sizes sweep the thresholds of kernels (`sweep`).
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interp.apps.runtimes.translation import Reply
from interp.apps.suite.cases import Case, to_storage
from interp.apps.suite.causes import Explained, cover, explain
from interp.apps.suite.conformance import case_text, dense, elsewhere, judge_results, judged_in
from interp.apps.suite.generate import MAKERS, Program, program
from interp.apps.suite.implementations import (
    TIMEOUT,
    Implementation,
    Named,
    Question,
    ask_all,
    implementation,
)
from interp.apps.suite.outcome import Evidence
from interp.apps.suite.shrink import shrink_program
from interp.apps.suite.sweep import Chain, chain, judge, shrunk_chain
from interp.engine.files import write_text
from interp.engine.markup import Display, join_lines
from spec.errors import Malformed, one_of, several, whole
from spec.readings import ANY, OPEN
from spec.types import QuantizedType, TensorType

# A valid program may be beyond an implementation; it may not be refused, nor end it.
FAILING = ("wrong", "refused", "crashed", "timed out")
PATIENCE = 30.0  # seconds to make a failing program small
DIAGNOSED = 5.0  # seconds to look for a cause of wrong results
PATIENCE_WITH_SIZES = 90.0  # the same for a chain, whose failures may end the process each time


class Answer(NamedTuple):
    """The verdict on an implementation's answer, the reason, the results if any, and the reading."""

    verdict: str
    detail: str
    results: tuple[np.ndarray, ...] = ()
    reading: str = ANY

    @property
    def is_open(self) -> bool:
        """Return whether it is wrong in the dequantize reading but perhaps not in the integer reading."""
        return self.verdict == "wrong" and self.reading != ANY

    @property
    def in_words(self) -> str:
        """The verdict in words."""
        return OPEN if self.is_open else self.verdict


@dataclass(frozen=True, repr=False)
class Failure:
    """A seed whose program fails; `program` is a smaller one that fails in the same way.

    `like` is the first seed whose program failed in the same way; only that one is shrunk.
    """

    seed: int
    program: Program | Chain
    answer: Answer
    like: int

    @property
    def text(self) -> str:
        """The failure as a conformance case (`cases.py`)."""
        return failure_text(self)

    @cached_property
    def explanation(self) -> Explained:
        """The answer of `diagnose` about wrong results; the first use computes it, in some seconds."""
        module = self.program.module
        types = module.main.results
        given = zip(self.answer.results, types, strict=False)
        results = tuple(y for x, type in given if (y := to_storage(x, type)) is not None)
        if self.answer.verdict != "wrong" or len(results) != len(types):
            return Explained(tried=False)
        return explain(Evidence(module, self.program.args, results, "strict"), DIAGNOSED)

    @property
    def cause(self) -> str:
        """The answer of `diagnose` in one line; "" if it has no explanation."""
        names, sentence, _ = self.explanation
        more = f"; as well: {', '.join(names[1:4])}" * (len(names) > 1)
        return f"diagnose: {names[0]}: {sentence}{more}\n" if names else ""

    def __repr__(self) -> str:
        head = f"seed {self.seed}: {self.answer.in_words}"
        return (
            f"{head}, like seed {self.like}" if self.like < self.seed else f"{head}\n{self.cause}{self.text}"
        )


@dataclass(frozen=True, repr=False)
class Fuzzed(Display):
    """Result of `fuzz`: programs by verdict, the failures, the first seed, and the seed to continue with.

    A failure may be permitted in the integer reading: see `Answer.is_open`. `hint` says what to do about
    programs that are not supported. Prints the first failure of each sort as a case, and the others as a line
    each.
    """

    counts: Counter[str]
    failures: tuple[Failure, ...]
    next_seed: int
    seed: int = 0
    hint: str = ""

    @property
    def ok(self) -> bool:
        """Return whether no program failed."""
        return not self.failures

    @property
    def causes(self) -> dict[str, list[int]]:
        """The causes that explain wrong results, each with the seeds of the failures."""
        first = {f.seed: f for f in self.failures if f.like == f.seed}
        names = [first[f.like].explanation.names for f in self.failures]
        return {name: [self.failures[k].seed for k in found] for name, found in cover(names).items()}

    @property
    def conclusion(self) -> str:
        """Return the causes, the number of programs with each verdict, and the seeds that ran."""
        counted = ", ".join(f"{n} {verdict}" for verdict, n in self.counts.most_common())
        open = sum(failure.answer.is_open for failure in self.failures)
        parts = [counted, *([f"of the wrong, {open} are {OPEN}"] if open else [])]
        seeds = f"seeds {self.seed} to {self.next_seed - 1}; go on with --seed {self.next_seed}"
        causes = [
            f"{name}: {len(seeds)} of the failures, seed {seeds[0]} first"
            for name, seeds in self.causes.items()
        ]
        return "\n".join([*causes, *parts, *([self.hint] if self.hint else []), seeds])

    def _repr_text_(self) -> str:
        return join_lines([*map(repr, self.failures), self.conclusion])


def fuzz(
    impl: Named = "numpy",
    *,
    sweep: bool = False,
    ops: str | Iterable[str] = (),
    seconds: float = 60.0,
    seed: int = 0,
    timeout: float = TIMEOUT,
    jobs: int = 1,
    save: str | Path | None = None,
    progress: Callable[[int, Counter[str]], None] = lambda seed, counts: None,
    found: Callable[[Failure], None] = lambda failure: None,
) -> Fuzzed:
    """Run random programs on an implementation, shrink each one that fails, and return a `Fuzzed`.

    It runs the programs of `seed`, `seed + 1`, ... for `seconds` seconds; for 0 seconds, only that of `seed`.
    A seed gives the same program everywhere. sweep: chains of plain operations in place of single ones, whose
    sizes lie at powers of two, beside and between them, up to 10^5, with ranks up to 8; a failure says from
    which size on. ops: only these operations (keys of `generate.MAKERS`). `impl` is an implementation as
    `conformance` takes it: a name, a command, a server or a function. An answer may take `timeout` seconds,
    and `jobs` programs are asked at a time. The first failure of each kind is written to
    `save`/fuzz_<seed>.mlir. `progress` is called with each seed, `found` with each failure.

    >>> interp.fuzz("numpy", seconds=0, seed=7)
    1 exact
    seeds 7 to 7; go on with --seed 8
    """
    counts: Counter[str] = Counter()
    failures: list[Failure] = []
    absent: list[tuple[str, str]] = []
    first: dict[tuple[str, ...], int] = {}
    names, jobs = operations_named(ops, sweep), max(1, whole(jobs, "jobs"))
    start, deadline, tested = seed, time.monotonic() + seconds, implementation(impl, timeout, jobs)
    trials: deque[Program | Chain] = deque()

    def questions() -> Iterator[Question]:
        for each in count(start):
            if each > start and time.monotonic() >= deadline:
                return
            trials.append(chain(each) if sweep else program(each, names))
            yield question_of(trials[-1])

    try:
        for answered in ask_all(tested, questions(), jobs):
            trial = trials.popleft()
            answer = judge_reply(trial, answered.reply)
            counts[answer.verdict] += 1
            if answer.verdict == "unsupported":
                absent.append((operation_of(trial), answer.detail.partition("\n")[0]))
            if answer.verdict in FAILING:
                like = first.setdefault(sort(trial, answer), seed)
                known = Failure(seed, trial, answer, like)
                failures.append(known if like < seed else smallest(known, tested))
                if save is not None and like == seed:
                    write_text(saved_as(seed, save), failures[-1].text)
                found(failures[-1])
            seed += 1
            progress(seed, counts)
    finally:
        tested.close()
    return Fuzzed(counts, tuple(failures), seed, start, hint_of(absent, counts, names))


def operations_named(ops: str | Iterable[str], sweep: bool) -> tuple[str, ...]:
    """Return the operations to draw, () for the usual ones."""
    names = several(ops, "operations")
    if names and sweep:
        raise Malformed("operations were named for a sweep", "its chains have all of them: leave out ops")
    for name in names:
        one_of(MAKERS, name, "operation of random programs")
    return names


def operation_of(trial: Program | Chain) -> str:
    return "" if isinstance(trial, Chain) else trial.op.name.removeprefix("stablehlo.")


def hint_of(absent: Sequence[tuple[str, str]], counts: Counter[str], names: Sequence[str]) -> str:
    """Return what to do about programs that are not supported; "" if there are none."""
    if not absent:
        return ""
    ops, ((reason, number), *_) = (
        Counter(op for op, _ in absent),
        Counter(why for _, why in absent).most_common(1),
    )
    parts = ", ".join(f"{n} {op}" for op, n in ops.most_common() if op)
    text = f"of the {len(absent)} unsupported" + f" ({parts})" * bool(parts)
    text += f", {number} for this reason: {reason or 'none is given'}"
    rest = [name for name in names or MAKERS if name not in ops]
    if "" in ops:
        return text
    if rest and counts.total() > len(absent):
        return f"{text}\n  --ops {','.join(rest)} leaves these operations out"
    return f"{text}\n  --ops NAME,NAME restricts the operations: {', '.join(MAKERS)}"


def saved_as(seed: int, folder: str | Path) -> Path:
    """Return the file to which the failing program of a seed is written."""
    return Path(folder) / f"fuzz_{seed}.mlir"


def ask(trial: Program | Chain, tested: Implementation) -> Answer:
    """Ask the implementation, and judge its answer."""
    return judge_reply(trial, tested(question_of(trial)))


def question_of(trial: Program | Chain) -> Question:
    """Return what an implementation is asked."""
    module = trial.module
    case = Case(
        "fuzz", Path("fuzz.mlir"), repr(module), "", "strict", "stablehlo", trial.args, (), (), (), {}, ""
    )
    return Question(case, module, trial.args)


def judge_reply(trial: Program | Chain, reply: Reply) -> Answer:
    """Judge the answer of an implementation."""
    if reply.kind != "results":
        return Answer(reply.kind, reply.message)
    if isinstance(trial, Chain):
        return Answer(*judge(trial, reply.results), reply.results)
    case, module, _ = question_of(trial)
    assert module is not None
    verdict, _, _, detail = judge_results(case, module, trial.args, reply.results)
    reading = judged_in(case, module, reply.results)
    if verdict == "wrong" and reading != ANY:
        verdict, reading = elsewhere(module, trial.args, reply.results, case.mode)
    return Answer(verdict, detail, reply.results, reading)


def sort(trial: Program | Chain, answer: Answer) -> tuple[str, ...]:
    """Return a key that failures with the same cause probably share: the message, or op, body and types."""
    if answer.verdict != "wrong":
        return answer.verdict, answer.detail.partition("\n")[0]
    if isinstance(trial, Chain):
        return answer.verdict, trial.element, *sorted({step.kind.partition(" ")[0] for step in trial.steps})
    kinds = {kind(value.type) for value in (*trial.op.operands, *trial.op.results)}
    inner = {op.name for region in trial.op.regions[-1:] for op in region.ops}
    return (answer.verdict, trial.op.name, *sorted(kinds), *sorted(inner))


def kind(type: TensorType) -> str:
    return "quantized" if isinstance(type.element_type, QuantizedType) else type.element_type.kind


def smallest(failure: Failure, tested: Implementation) -> Failure:
    fails = lambda trial: ask(trial, tested).verdict == failure.answer.verdict
    small: Program | Chain
    if isinstance(failure.program, Chain):
        small = shrunk_chain(failure.program, fails, until=time.monotonic() + PATIENCE_WITH_SIZES)
    else:
        small = shrink_program(failure.program, fails, until=time.monotonic() + PATIENCE)
    return replace(failure, program=small, answer=ask(small, tested))


def failure_text(failure: Failure) -> str:
    if isinstance(failure.program, Chain):
        return chain_text(failure, failure.program)
    module, args = failure.program.module, failure.program.args
    types = module.main.results
    given = [to_storage(x, type) for x, type in zip(failure.answer.results, types, strict=False)]
    known = [x for x in given if x is not None]
    wrong = [f"wrong (given): {'; '.join(dense(known, types))}"] if len(known) == len(types) else []
    why = f"Verdict: {failure.answer.in_words}, {failure.answer.detail}".splitlines()[0]
    return case_text(module, args, f"fuzz: seed {failure.seed}", [why], wrong)


def chain_text(failure: Failure, small: Chain) -> str:
    """Return a chain's program, after the verdict, the sizes and how to make its arguments."""
    lines = [
        f"fuzz: sweep, seed {failure.seed}",
        f"Verdict: {failure.answer.in_words}, {failure.answer.detail}".splitlines()[0],
        *small.edges,
        "from interp.apps.suite.sweep import numbers",
        *(f"x{k} = numbers({x.shape}, {small.element!r}, {k})" for k, x in enumerate(small.args)),
    ]
    return "".join(f"// {line}\n" for line in lines) + repr(small.module) + "\n"
