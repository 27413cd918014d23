"""`interp repl`: IPython with a program, its arguments and the verbs as names."""

from __future__ import annotations

import pydoc
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interp.apps.prompt.session import Progress, Session
from interp.apps.prompt.words import STEPPING, completions, spelled_out
from interp.recorder.event import Group
from interp.recorder.names import name_of
from spec.errors import InterpError, Unsupported
from spec.ir import Module


def repl(
    path: str, module: Module, args: Sequence[Any], options: Mapping[str, Any], progress: Progress
) -> bool:
    """Run a session until the user leaves it, and return whether there was no error.

    On a terminal it has a banner and prompts. Piped input runs as a script, which an error ends.
    """
    session = with_help(Session(module, args, options, progress))
    on_terminal = sys.stdin.isatty()
    shell = _shell(session, on_terminal)
    if not on_terminal:
        return _run_script(shell, sys.stdin)
    print(banner(session, path))
    shell.mainloop()
    return True


def _shell(session: Session, on_terminal: bool) -> Any:
    """Return IPython with the session's names, spellings, completions and error messages."""
    try:
        from IPython.terminal.interactiveshell import TerminalInteractiveShell
    except ImportError:
        raise Unsupported("the REPL needs IPython", "pip install 'stablehlo-interp[repl]'") from None
    config = _config(session, on_terminal)
    shell = TerminalInteractiveShell.instance(config=config, user_ns=session.names)
    shell.set_custom_exc((InterpError, KeyboardInterrupt), _print_error)
    shell.input_transformers_cleanup.append(lambda lines: _spelled_out(session, lines))
    shell.Completer.custom_matchers.append(_matcher(session))
    if on_terminal:
        _repeat_on_enter(session, shell)
    return shell


def _repeat_on_enter(session: Session, shell: Any) -> None:
    """Let an empty line repeat the last stepping word, as in gdb."""
    ask = shell.prompt_for_code
    shell.prompt_for_code = lambda: ask() or session.again


def _config(session: Session, on_terminal: bool) -> Any:
    """Return IPython's configuration: one-line errors, no empty lines; the prompt shows the step."""
    from IPython.terminal.prompts import Prompts, Token
    from traitlets.config import Config

    class Prompt(Prompts):
        def in_prompt_tokens(self) -> list[Any]:
            return [(Token.Prompt, session.prompt)]

        def continuation_prompt_tokens(self, *_: Any, **__: Any) -> list[Any]:
            return [(Token.Prompt, " " * len(session.prompt))]

        def out_prompt_tokens(self) -> list[Any]:
            return []

    config = Config()
    config.TerminalInteractiveShell.update(
        banner1="", confirm_exit=False, term_title=False, separate_in="", xmode="Minimal"
    )
    config.TerminalInteractiveShell.prompts_class = Prompt
    config.IPCompleter.use_jedi = False
    config.HistoryManager.enabled = on_terminal
    if not on_terminal:
        config.InteractiveShell.colors = "nocolor"
    return config


def _print_error(shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: Any = None) -> None:
    """Print an error as its verdict and evidence, without a traceback."""
    print("interrupted" if isinstance(error, KeyboardInterrupt) else error, file=sys.stderr)


def _spelled_out(session: Session, lines: list[str]) -> list[str]:
    if len(lines) != 1:
        return lines
    ours = [name for name, verb in session.verbs.items() if session.names.get(name) is verb]
    spelled = spelled_out(lines[0], ours, session.words)
    if spelled.partition("(")[0] in STEPPING:
        session.again = spelled
    return lines if spelled == lines[0] else [spelled + "\n"]


def _matcher(session: Session) -> Any:
    """Return the function that IPython calls for completions."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()
    def operations(context: Any) -> Any:
        word, found = completions(context.text_until_cursor, session.candidates)
        fragment = {"matched_fragment": word} if found else {}
        return {
            "completions": [SimpleCompletion(x, type="operation") for x in found],
            **fragment,
            "suppress": bool(found),
        }

    return operations


def _run_script(shell: Any, lines: Iterable[str]) -> bool:
    """Run complete statements, one after the other, until one fails; a blank line ends a block."""
    statement: list[str] = []
    for line in (*lines, ""):
        statement.append(line.rstrip("\n"))
        text = "\n".join(statement)
        if line and shell.check_complete(text)[0] == "incomplete":
            continue
        if not shell.run_cell(text).success:
            return False
        if not shell.keep_running:
            break
        statement = []
    return True


# Banner and help of a session: what to type first, and examples from the program


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
