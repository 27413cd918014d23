"""`interp repl`: IPython with a program, its arguments and the verbs as names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interp.apps.prompt.help import banner, with_help
from interp.apps.prompt.session import UNKNOWN_WORD, Progress, Session
from interp.apps.prompt.words import STEPPING, completions, spelled_out, unknown_word
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
    session.magics = {*shell.magics_manager.magics["line"]}
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
    if spelled != lines[0]:
        return [spelled + "\n"]
    wrong = unknown_word(lines[0], {*session.names, *session.magics})
    return [f"{UNKNOWN_WORD}({wrong!r})\n"] if wrong else lines


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
