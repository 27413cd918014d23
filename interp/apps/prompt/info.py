"""`info`: what a session knows of a walk: breakpoints, arguments, values, events, reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interp.answers.stepper import Stepper
from spec.options import one_of


class Lines(str):
    """Text that a prompt prints as it is."""

    def __repr__(self) -> str:
        return str(self)


def info(stepper: Stepper, topic: str = "") -> Lines:
    """Return a topic of a walk as text, or the list of topics: `info breakpoints`.

    A topic may be cut short, as in `info b`.
    """
    if not topic:
        return Lines("\n".join(f"info {name:11}  {what}" for name, (what, _) in TOPICS.items()))
    cut = next((name for name in TOPICS if name.startswith(str(topic))), topic)
    _, lines = TOPICS[one_of(TOPICS, cut, "topic")]
    return Lines("\n".join(lines(stepper)) or f"no {cut}")


def _arguments(stepper: Stepper) -> Iterable[str]:
    return (repr(value) for value in stepper.visits[0].values)


def _locals(stepper: Stepper) -> Iterable[str]:
    """Yield the values of this function, loop or branch that are computed, in the run around this point."""
    outer = stepper.parents[stepper.at]
    done = range(1, stepper.at + (stepper.moment + 1 == stepper.visits[stepper.at].moments))
    inside = [k for k in done if stepper.parents[k] == outer]
    return (repr(value) for k in inside for value in stepper.visits[k].values if stepper.visits[k].named)


def _events(stepper: Stepper) -> Iterable[str]:
    return map(repr, stepper.trace.shown)


TOPICS: dict[str, tuple[str, Callable[[Stepper], Iterable[str]]]] = {
    "arguments": ("the parameters of the function", _arguments),
    "breakpoints": ("the breakpoints, with their numbers", lambda stepper: map(repr, stepper.breakpoints)),
    "events": ("the errors and warnings of the run", _events),
    "locals": ("the values computed so far in this function", _locals),
    "reductions": ("the reductions of the run", lambda stepper: map(repr, stepper.trace.reductions.values())),
}
