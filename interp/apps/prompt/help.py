"""Help of a session: what to type first, examples from the program, and a text for every word."""

from __future__ import annotations

import difflib
import pydoc
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import Any

from interp.apps.prompt.session import TOPICS, Lines, Session
from interp.apps.prompt.words import WORDS
from interp.recorder.event import KINDS, Group, short
from interp.recorder.names import find, name_of, operations
from spec.accumulator import READINGS
from spec.errors import InterpError, Malformed
from spec.recipes import RECIPES

Index = tuple[int, ...]

TYPED = """\
A verb needs no parentheses, and takes what it is not given from m, args and t: new ones count at once.
Options are those of the command line: run --schedule balanced. Enter repeats step, next, continue, ...
All of Python is there, np and interp too; help step tells of a word, run? of a verb; q or Ctrl-D leaves."""
# What to type, and why; {op} is an operation of the program, {index} an element, {kind} a kind of event.
EXAMPLES = {
    "run": ("run()", "the results; run(x) of other arguments, run(schedule='balanced') in another schedule"),
    "trace": ("t", "what was noteworthy; t = trace(schedule='balanced') for another run"),
    "compare": ("compare()", "beside the float program on XLA"),
    "verify": ("verify()", "the constraints that the program breaks; lint() what may not be meant"),
    "explain": ("explain('{op}', {index})", "how one result element came to be, of any operation"),
    "verdict": ("verdict('{op}')", "would another schedule have saved it?"),
    "bounds": ("bounds('{op}')", "how wide must the accumulator be?"),
    "matrix": ("matrix('{op}')", "accumulator types x arithmetic x schedules against exact"),
    "budget": ("budget()", "where the error against the float program comes from"),
    "recipes": ("recipes()", "what each recipe of requantization costs"),
    "shrink": ("shrink('{op}')", "the smallest inputs that still show the first event"),
    "report": ("report('out.html')", "all of it as one page"),
    "step": ("step", "through the run: step 5, back 2, until {kind}, until {op}, watch another element"),
    "_next": ("next", "n: the next operation, over calls and reductions; fin: finish this one"),
    "_break": ("break {op}", "b {kind}, b {op} if nan, b if value > 100; c: continue to it; delete 1"),
    "where": ("where", "the operation, its line, the node of the tree; acc the accumulator"),
    "backtrace": ("backtrace", "bt: the calls and loops around; list (l): the source around"),
    "_print": ("print {op}", "p: its value, p {op} 0 2 an element; info (i): breakpoints, locals, ..."),
    "prove": ("prove()", "for every input: can a sum overflow?"),
    "errata": ("errata reduce", "where the text leaves a choice; errata E7 with the case that shows it"),
    "permits": ("permits(out)", "does some schedule give these results?"),
}


def banner(session: Session, path: str) -> str:
    """Return the banner: the program, its first event if it can run, and what to type first."""
    inputs = ", ".join(map(repr, session.func.inputs))
    return "\n".join([f"{path}: @{session.func.name}({inputs})", *_findings(session)])


def _findings(session: Session) -> list[str]:
    if len(session.names["args"]) < len(session.func.inputs):
        return ["no arguments yet: args = (x, ...), or start with files or --random 7", "type help"]
    try:
        groups = session.trace.shown
    except InterpError as error:
        return [*str(error).splitlines(), "type help"]
    except KeyboardInterrupt:
        return ["interrupted: t is traced when it is asked", "type help"]
    op, index, kind = subject(session, groups)
    found = repr(groups[0]) if groups else repr(session.trace)
    explainable = (
        "explain" in session.verbs and groups and groups[0].first.leaves and groups[0].first.op.regions
    )
    first = f"explain('{op}', {index})" if explainable else f"until {kind}" if groups else "step"
    return [found, f"type {first} or help"]


def subject(session: Session, groups: Sequence[Group] = ()) -> tuple[str, Index, str]:
    """Return an operation, an index of its result and a kind of event, for the examples."""
    for group in groups:
        event = group.first
        if event.op.regions and event.index is not None and event.what == "result":
            return event.name_of_run, event.index, event.kind
    ops = [op for op in session.ops if op.results]
    reduced = [op for op in ops if op.regions] or ops[-1:]
    if not reduced:
        return "%0", (), "saturate"
    value = reduced[0].results[0]
    name, kind = name_of(session.names["m"], reduced[0]), groups[0].kind if groups else "saturate"
    return name, (0,) * value.type.rank, kind


# Words that answers print, beside kinds of events, readings and recipes.
PRINTED = {
    "safe": "a verdict: no order of the additions overflows on these leaves",
    "order-dependent": "a verdict: some orders overflow, or give another result, and others do not",
    "inevitable": "a verdict: no order of the additions avoids the overflow",
    "unknown": "a verdict: the search ended, or the theorems do not apply; it is not a claim",
    "headroom": "the bits between the largest partial sum and the end of its type",
    "suggested": "the narrowest accumulator in which every sum is proved exact, or the reason for none",
    "steps": "the unit of an error: the scale of the type, a difference of 1 of the stored number",
    "stored": "the integer that stands for a value: value = (stored - zero point) * scale",
    "exact": "the number without any rounding or overflow, of the same leaves",
    "leaf": "an element that a reduction adds up; leaf 0 is the first, behind the init value",
}
SESSION = {
    "m": "the program; m = load('other.mlir') takes another",
    "args": "its arguments, stored elements; args = (x, ...) takes others",
    "t": "its trace, which runs when it is first used",
    "ops": "its operations by name: ops.<TAB>",
    "np": "NumPy",
    "interp": "this package: interp.<TAB>",
    "load": "read a program: load('other.mlir')",
    "quit": "leave, as Ctrl-D does",
    "schedule": "--schedule left, balanced, blocks(32), windows(4), random(7): the order of the additions",
    "reading": "--reading " + " or ".join(READINGS),
    "accumulator": "--accumulator i16, 'i20 saturate': what sums are carried in",
    "recipe": "--recipe " + ", ".join(RECIPES),
}

RECIPE_WORDS = {name: f"a recipe of requantization: {recipe.sentence}" for name, recipe in RECIPES.items()}
TOPIC_WORDS = {name: f"info {name}: {what}" for name, (what, _) in TOPICS.items()}
TABLES = (
    {kind: f"a kind of event: {text}" for kind, text in KINDS.items()},
    {name: f"a reading: {text}" for name, text in READINGS.items()},
    RECIPE_WORDS,
    TOPIC_WORDS,
    PRINTED,
    SESSION,
)


class Help:
    """The verb `help` (or `?`): shows what to type; `help step` tells of a word, `help(x)` documents x."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __call__(self, *things: Any) -> Help | Lines | None:
        if things and all(isinstance(thing, str) for thing in things):
            return Lines("\n\n".join(map(self.explain_word, " ".join(things).split() or [""])))
        for thing in things:
            pydoc.help(thing)
        return None if things else self

    def __repr__(self) -> str:
        rows = [
            *self._examples(),
            ("m, args, t, ops", "the program, its arguments, its trace, its operations"),
        ]
        width = max(len(example) for example, _ in rows)
        return "\n".join([*(f"{example:{width}}  {why}" for example, why in rows), TYPED])

    def _examples(self, only: str = "") -> Iterator[tuple[str, str]]:
        """Yield examples from the program, and why to type them; of one verb, or of all."""
        op, index, kind = subject(self.session, self.session.known_groups)
        for verb, (example, why) in EXAMPLES.items():
            if verb in self.session.verbs and only in ("", verb):
                yield example.format(op=op, index=index), why.format(op=op, kind=kind)

    def explain_word(self, word: str) -> str:
        """Return what a word means: a verb or its short form, a kind of event, a topic, an option, a name."""
        plain = word.strip("-'\",()").lower()
        verb = WORDS.get(plain, f"_{plain}" if f"_{plain}" in self.session.verbs else plain)
        texts = [self._explain_verb(verb)] if verb in self.session.verbs else []
        name = WORDS.get(plain, plain)
        texts += [f"{plain}: {table[name]}" for table in TABLES if name in table]
        return "\n".join(texts) or self._explain_operation(word)

    def _explain_verb(self, verb: str) -> str:
        """Return a verb's other words, its documentation, and its example."""
        words = [word for word, meant in WORDS.items() if meant == verb and word != verb]
        first = [*sorted(words, key=len, reverse=True), *([] if verb.startswith("_") else [verb])]
        title = ", ".join(sorted(first, key=len, reverse=True))
        text = cleandoc(self.session.verbs[verb].__doc__ or "").partition("\n\n")
        shown = [f"  {example}   {why}" for example, why in self._examples(verb)]
        return "\n".join([f"{title}: {' '.join(text[0].split())}", *shown])

    def _explain_operation(self, word: str) -> str:
        """Return what may be asked about an operation; `Malformed`, with similar words, for another word."""
        module = self.session.names["m"]
        if alike := [name_of(module, op) for op in self.session.ops if op.results and short(op) == word]:
            return f"{word}: an operation, {', '.join(alike)}; errata {word} tells where the text is open"
        known = sorted({*self.session.verbs, *WORDS, *(x for table in TABLES for x in table)})
        try:
            named = find(word, operations(module), "word or operation")
        except Malformed:
            close = difflib.get_close_matches(word, [x for x in known if not x.startswith("_")], n=3)
            meant = f"did you mean {' or '.join(close)}?" if close else "help lists what to type"
            raise Malformed(f"no word {word!r}", meant) from None
        return f"{named.title}: {named.op.name}; p {named} its value, until {named} goes there, list {named}"


def with_help(session: Session) -> Session:
    """Add the verb `help` to a session."""
    session.verbs["help"] = session.names["help"] = Help(session)
    return session
