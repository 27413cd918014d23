"""The names of a session: the program, its arguments, its trace, and verbs that take these as defaults."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

import interp
from interp.answers.stepper import Stepper
from interp.answers.trace import Trace
from interp.apps.prompt.words import WORDS
from interp.apps.suite.cases import show_errata
from interp.engine.arguments import function_named
from interp.engine.evaluate import Listener
from interp.engine.facts import facts
from interp.recorder.event import KINDS, Group, signature
from interp.recorder.layers import layer_of
from interp.recorder.names import name_of
from spec.errors import Malformed, one_of
from spec.ir import Func, Module, Op

RUNS = ("run", "trace", "compare")  # what takes a program and its arguments
CHECKS = ("verify", "lint", "prove")  # what takes a program
# The words that walk, by their names in Python, with the methods of `Stepper`.
MOVES = {
    **{name: name for name in "step until where back watch finish backtrace delete".split()},
    "_next": "next",
    "_continue": "continue_",
    "_break": "break_",
    "_list": "listing",
}
UNKNOWN_WORD = "_no_such_word"  # the name of what a line with an unknown word calls
QUESTIONS = tuple("explain verdict bounds matrix budget recipes shrink report table frame".split())
Progress = Callable[[], AbstractContextManager[Sequence[Listener]]]


class LazyTrace:
    """A trace that runs the program only when one of its attributes is first used."""

    def __init__(self, make: Callable[[], Trace]) -> None:
        self._make = make

    @cached_property
    def target(self) -> Trace:
        return self._make()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.target, name)

    def __dir__(self) -> list[str]:
        return [*dir(Trace), *(field.name for field in fields(Trace))]

    def __repr__(self) -> str:
        return repr(self.target)


class Session:
    """State of a REPL. `names` is its namespace: `m`, `args`, `t`, `ops`, the arguments by name, the verbs.

    A verb takes missing arguments from there, so that a new `m`, `args` or `t` takes effect at once.
    """

    def __init__(
        self, module: Module, args: Sequence[Any], options: Mapping[str, Any], progress: Progress
    ) -> None:
        self.options, self.progress = dict(options), progress
        func = function_named(module, options.get("function", "main"))
        self.stepper: Stepper | None = None
        self.again = ""  # the stepping line that Enter repeats
        self.magics: set[str] = set()  # words of IPython
        self.verbs: dict[str, Callable[..., Any]] = {
            **{name: self._run(getattr(interp, name)) for name in RUNS},
            **{name: self._check(getattr(interp, name)) for name in CHECKS},
            **{name: self._ask(name) for name in QUESTIONS if hasattr(Trace, name)},
            **{name: self._move(method) for name, method in MOVES.items()},
            "permits": self.permits,
            "errata": self.errata,
            "info": self.info,
            "acc": self.accumulator,
            "_print": self.look_up,
        }
        self.names: dict[str, Any] = {
            **{value.name.removeprefix("%"): x for value, x in zip(func.inputs, args, strict=False)},
            "interp": interp,
            "np": np,
            "load": interp.load,
            "m": module,
            "args": tuple(args),
            "t": LazyTrace(lambda: self.verbs["trace"]()),
            **self.verbs,
            UNKNOWN_WORD: self.refuse,
        }
        self.names["ops"] = SimpleNamespace(**{attribute(op): op for op in reversed(self.ops)})

    @property
    def func(self) -> Func:
        return function_named(self.names["m"], self.options.get("function", "main"))

    @property
    def ops(self) -> list[Op]:
        """The operations of the function, then those of other functions, without those in regions."""
        module = self.names["m"]
        others = [func for func in module.functions.values() if func is not self.func]
        return [op for func in (self.func, *others) for op in func.body.ops[:-1]]

    @property
    def trace(self) -> Trace:
        trace = self.names["t"]
        return trace.target if isinstance(trace, LazyTrace) else trace

    @property
    def known_groups(self) -> tuple[Group, ...]:
        """The trace's groups of events, if the trace has run."""
        trace = self.names["t"]
        return () if isinstance(trace, LazyTrace) and "target" not in vars(trace) else trace.shown

    @property
    def words(self) -> dict[str, str]:
        """The words that stand for verbs, except those to which the user gave another meaning."""
        return {word: verb for word, verb in WORDS.items() if self.names.get(word) is self.verbs.get(word)}

    def candidates(self, verb: str) -> list[str]:
        """Return completions for a verb's arguments: names of operations or reductions, kinds of events."""
        verb = WORDS.get(verb, verb)
        stops = verb in ("until", "_break")
        if verb == "info":
            return list(TOPICS)
        if not stops and verb not in (*QUESTIONS, "_print", "_list", "reduction"):
            return []
        ops = [op for op in self.ops if op.results]
        every = stops or verb in ("explain", "_print", "_list")
        module = self.names["m"]
        names = dict.fromkeys(name_of(module, op) for op in ops if every or facts(op).is_recorded)
        layers = dict.fromkeys(layer_of(module, op) for op in ops if facts(op).is_recorded)
        return [*names, *(x for x in layers if x and " " not in x), *(KINDS if stops else ())]

    def info(self, topic: str = "") -> Lines:
        """Return what is known of the walk: `info` lists the topics, `info breakpoints` prints one."""
        return info(self._stepper, topic)

    def errata(self, what: str = "") -> Lines:
        """Return the errata of an operation, `errata reduce`, or one and its case: `errata E7`."""
        return Lines(show_errata(str(what).replace(",", " ").split()))

    def refuse(self, word: str) -> None:
        """Raise `Malformed` for a word that is not known, with the nearest ones."""
        own = (name for name in self.names if not name.startswith("_"))
        known = {*own, *WORDS, *(verb.removeprefix("_") for verb in self.verbs)}
        close = difflib.get_close_matches(word, sorted(known), n=3)
        meant = f"did you mean {' or '.join(close)}?" if close else "help lists what to type"
        raise Malformed(f"no verb or name {word}", meant)

    def accumulator(self) -> Any:
        """Return the accumulators of the watched element; `Malformed` where nothing is reduced."""
        here = self._stepper.where()
        if here.visit.element:
            return here.accumulators
        reductions = [name_of(self.names["m"], op) for op in self.ops if facts(op).is_recorded]
        at = f"{here.op.name.partition('.')[2]} {here.name}".strip() if here.op else "the start"
        known = (
            f"until {reductions[0]} goes to one, and step into it" if reductions else "this program has none"
        )
        value = f"\np {here.name} is the value here" if here.name else ""
        raise Malformed(f"no accumulator at {at}: it is inside a reduction", f"{known}{value}")

    def look_up(self, what: Any = None, *index: Any) -> Any:
        """Return the value of an operation, argument or Python name, `print %4 0 2`; without a name, here."""
        if what is None:
            return self._stepper.acc()
        if not isinstance(what, str):
            return what
        if what in ("acc", *MOVES) and self.names.get(what) is self.verbs[what]:
            return self.verbs[what](*index)
        name, *attributes = what.split(".")
        if name not in self.names or index:
            return self._stepper.value(what, *index)
        found = self.names[name]
        for each in attributes:
            found = getattr(found, each)
        return found

    def permits(self, *results: Any, **options: Any) -> Any:
        """Return whether some schedule gives these results: `permits(out)`."""
        return interp.permits(self.names["m"], self.names["args"], results, **options)

    def _run(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            module, given = _split(given, self.names["m"])
            with self.progress() as listeners:
                options = {**self.options, "listeners": listeners, **options}
                return verb(module, *(given or self.names["args"]), **options)

        return _copy_name(call, verb)

    def _check(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            module, given = _split(given, self.names["m"])
            return verb(module, *given, **options)

        return _copy_name(call, verb)

    def _ask(self, name: str) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            named = [name_of(self.names["m"], x) if isinstance(x, Op) and x.results else x for x in given]
            return getattr(self.trace, name)(*named, **options)

        return _copy_name(call, getattr(Trace, name))

    @property
    def _stepper(self) -> Stepper:
        """The walk through the present trace."""
        if self.stepper is None or self.stepper.trace is not self.trace:
            self.stepper = Stepper(self.trace)
        return self.stepper

    def _move(self, name: str) -> Callable[..., Any]:
        return _copy_name(lambda *given: getattr(self._stepper, name)(*given), getattr(Stepper, name))

    @property
    def prompt(self) -> str:
        """Return the prompt: at step 2 of the reduction `%0`, it is `%0 2> `."""
        if self.stepper is None:
            return "> "
        here = self.stepper.where()
        if here.op is None or not here.op.results:
            return "> " if here.op is None else "end> "
        moment = f" {here.moment}" if here.visit.element else ""
        return f"{here.title}{moment}> "


def attribute(op: Op) -> str:
    """Return an operation as a Python name: `reduce_0` for `%0 = stablehlo.reduce`."""
    return "".join(c if c.isalnum() else "_" for c in signature(op).partition(",")[0].replace(" %", "_"))


def _split(given: tuple[Any, ...], module: Module) -> tuple[Module, tuple[Any, ...]]:
    """Return the program and the other arguments; if the first is not a program, take the session's."""
    return (given[0], given[1:]) if given and isinstance(given[0], Module) else (module, given)


def _copy_name(call: Callable[..., Any], verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the verb's name and documentation, for `explain?`."""
    call.__name__, call.__doc__ = verb.__name__, verb.__doc__
    return call


# `info`: what a session knows of a walk: breakpoints, arguments, values, events, reductions


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
