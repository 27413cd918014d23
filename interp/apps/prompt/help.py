"""Banner and help of a session: what to type first, and examples from the program."""

from __future__ import annotations

import pydoc
from collections.abc import Sequence
from typing import Any

from interp.apps.prompt.session import Session
from interp.recorder.event import Group
from interp.recorder.names import name_of
from spec.errors import InterpError

Index = tuple[int, ...]

TYPED = """\
A verb needs no parentheses, and takes what it is not given from m, args and t: new ones count at once.
Options are those of the command line: run --schedule balanced. Enter repeats step, next, continue, ...
All of Python is there, np and interp too; verb? documents a verb; q or Ctrl-D leaves."""
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


class Help:
    """The verb `help` (or `?`): shows what to type; `help(x)` shows the documentation of x."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __call__(self, *things: Any) -> Help | None:
        for thing in things:
            pydoc.help(thing)
        return None if things else self

    def __repr__(self) -> str:
        op, index, kind = subject(self.session, self.session.known_groups)
        rows = [
            (example.format(op=op, index=index), why.format(op=op, kind=kind))
            for verb, (example, why) in EXAMPLES.items()
            if verb in self.session.verbs
        ]
        rows += [("m, args, t, ops", "the program, its arguments, its trace, its operations: ops.<TAB>")]
        width = max(len(example) for example, _ in rows)
        return "\n".join([*(f"{example:{width}}  {why}" for example, why in rows), TYPED])


def with_help(session: Session) -> Session:
    """Add the verb `help` to a session."""
    session.verbs["help"] = session.names["help"] = Help(session)
    return session
