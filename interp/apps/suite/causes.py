"""Causes: failures are grouped by what explains them, known mistakes and the answers of `diagnose`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from interp.apps.runtimes.translation import NOT_EXPRESSIBLE
from interp.apps.suite.outcome import Evidence, Outcome, headline, verdict_of
from interp.engine.work import Work
from spec.errors import InterpError

WORST = ("wrong", "crashed", "timed out", "refused", "unknown", "unsupported", NOT_EXPRESSIBLE)
SECONDS = 20.0  # that all diagnoses of a report may take
EACH = 3.0  # seconds that one of them may take
OPS = 6  # operations that a hint names
NOTHING = "nothing is supported: check with --filter that one case runs, docs/conformance.md has examples"
SHOWN = 3  # other explanations that are named


class Explained(NamedTuple):
    """The answer of `diagnose` about wrong results: the names of deviations that give them, and a sentence.

    No names: it found none. tried: whether it could look, and came to an end.
    """

    names: tuple[str, ...] = ()
    sentence: str = ""
    tried: bool = True


@dataclass(frozen=True)
class Cause:
    """Outcomes that one cause explains: a deviation, a known mistake, or the same message.

    `text` says more about it: the sentence of `diagnose`, and other explanations of the first outcome.
    """

    verdict: str
    name: str
    outcomes: tuple[Outcome, ...]
    text: str = ""

    @property
    def example(self) -> str:
        """The id of the first case."""
        return self.outcomes[0].case.id

    def to_dict(self) -> dict[str, Any]:
        """Return the cause in plain Python values."""
        cases = [outcome.case.id for outcome in self.outcomes]
        return {"verdict": self.verdict, "cause": self.name, "text": self.text, "cases": cases}


def causes_of(outcomes: Iterable[Outcome], seconds: float | None = SECONDS) -> tuple[Cause, ...]:
    """Return the causes of all outcomes that do not conform: wrong results first, frequent ones first.

    seconds: how long `diagnose` may look at wrong results; those that it does not reach are grouped by the
    known mistakes that give them, or by operation.
    """
    bad = [outcome for outcome in outcomes if not outcome.conforms]
    wrong = [outcome for outcome in bad if outcome.verdict == "wrong" and outcome.evidence]
    explained = explain_all(wrong, seconds)
    names = [(*filter(None, o.mistake.split("; ")), *explained[o.case.id].names) for o in wrong]
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for name, members in cover(names).items():
        groups["wrong", name] = [wrong[k] for k in members]
    known = {o.case.id for members in groups.values() for o in members}
    for outcome in bad:
        if outcome.case.id not in known:
            groups.setdefault((verdict_of(outcome), _message(outcome, explained)), []).append(outcome)
    order = sorted(groups.items(), key=lambda item: (WORST.index(item[1][0].verdict), -len(item[1])))
    return tuple(
        Cause(verdict, name, tuple(found), _text(name, found, explained)) for (verdict, name), found in order
    )


def _message(outcome: Outcome, explained: Mapping[str, Explained]) -> str:
    """Return a name for what nothing explains: the message, or the operation of wrong results."""
    if outcome.case.id not in explained:
        return headline(outcome)
    why = "no known deviation" if explained[outcome.case.id].tried else "not diagnosed"
    return f"{why}: {outcome.case.op}"


def _text(name: str, outcomes: Sequence[Outcome], explained: Mapping[str, Explained]) -> str:
    """Return what `diagnose` says of the first outcome that it explains, by this name if any, or evidence."""
    answers = [answer for o in outcomes if (answer := explained.get(o.case.id)) and answer.names]
    if not answers:
        return headline(outcomes[0]) if outcomes[0].case.id in explained else ""
    answer = next((answer for answer in answers if name in answer.names), answers[0])
    others = [other for other in answer.names[1:] if other != name]
    more = f"; as well: {', '.join(others[:SHOWN])}" + ", ..." * (len(others) > SHOWN)
    first = "" if answer.names[0] == name else f"{answer.names[0]}: "
    return f"diagnose: {first}{answer.sentence}" + more * bool(others)


def hint_of(outcomes: Sequence[Outcome]) -> str:
    """Return what to do about cases that an implementation does not support; "" if there are none."""
    absent = [outcome for outcome in outcomes if outcome.verdict == "unsupported"]
    if not absent:
        return ""
    (reason, number), *_ = Counter(map(headline, absent)).most_common(1)
    text = f"{len(absent)} unsupported, {number} of them for this reason: {reason or 'none is given'}"
    answered = [outcome for outcome in outcomes if outcome.verdict != "unsupported" and outcome.case.expect]
    ops = Counter(op for outcome in answered for op in outcome.case.operations)
    missing = {op for outcome in absent for op in outcome.case.operations} - ops.keys()
    some = [op for op, _ in ops.most_common(OPS)]
    advice = f"ask less: --ops {','.join(some)} asks for cases with these" if ops else NOTHING
    if ops and all(set(outcome.case.operations).intersection(some) for outcome in absent):
        advice = "--ops cannot tell these cases apart: --filter WORD asks for cases by their names"
    more = f"; never supported: {', '.join(sorted(missing)[:OPS])}" + ", ..." * (len(missing) > OPS)
    return f"{text}\n  {advice}" + more * bool(missing)


def explain_all(outcomes: Sequence[Outcome], seconds: float | None) -> dict[str, Explained]:
    """Return an answer of `diagnose` by case, operations in turn, as far as the time allows."""
    by_op: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_op.setdefault(outcome.case.op, []).append(outcome)
    work = Work(seconds)
    found = {outcome.case.id: Explained(tried=False) for outcome in outcomes}
    for outcome in filter(None, chain.from_iterable(zip_longest(*by_op.values()))):
        if work.is_over:
            break
        assert outcome.evidence is not None
        found[outcome.case.id] = explain(outcome.evidence, min(EACH, work.left))
    return found


def explain(evidence: Evidence, seconds: float) -> Explained:
    """Return what `diagnose` says about wrong results."""
    from interp.apps.diagnosing.diagnose import diagnose

    module, args, results, mode = evidence
    try:
        found = diagnose(module, args, results, mode=mode, seconds=seconds)
    except InterpError:  # an operation that it does not run, or results that no array can hold
        return Explained(tried=False)
    if not found.explanations:
        return Explained(tried=not found.partial)
    first = found.explanations[0]
    sentence = " and ".join(each.sentence for each in first.deviations)
    return Explained(tuple(trial.name for trial in found.explanations), sentence)


def cover(names: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return the fewest names, about, of which each item that has any has one, with their items.

    The most frequent name takes all its items, and so on; of equally frequent ones the first.
    """
    left = {k: own for k, own in enumerate(names) if own}
    found: dict[str, list[int]] = {}
    while left:
        counts: dict[str, int] = {}
        for name in chain.from_iterable(dict.fromkeys(own) for own in left.values()):
            counts[name] = counts.get(name, 0) + 1
        best = max(counts, key=counts.__getitem__)
        found[best] = [k for k, own in left.items() if best in own]
        left = {k: own for k, own in left.items() if best not in own}
    return found
