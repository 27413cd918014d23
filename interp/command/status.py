"""Exit status of a command, and its errors: two lines each, with a traceback only for a bug."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NoReturn

from interp.command.answer import FINDING, FINE, UNUSABLE, data_options, run_verb
from interp.command.options import verbs_of
from interp.command.verbs import EXAMPLES, VERBS, Verb
from spec.errors import Finding, InterpError, Violation


def status(arguments: Sequence[str], alone: bool = False) -> int:
    """Run a verb, print its errors and return the exit status.

    alone: the process runs this command only.
    """
    try:
        return parse_and_run(arguments, alone)
    except InterpError as error:
        print(error, file=sys.stderr)
        return FINDING if isinstance(error, Violation | Finding) else UNUSABLE
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        return FINE
    except OSError as error:
        return report_unusable(error.filename or "the output", error.strerror or str(error))
    except MemoryError as error:
        print(f"not enough memory: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception:
        import traceback

        traceback.print_exc()
        print("a bug in interp: please report it with the program", file=sys.stderr)
        return UNUSABLE


def parse_and_run(arguments: Sequence[str], alone: bool) -> int:
    """Run a verb and return its exit status; printed characters that cannot be encoded become `?`."""
    if sys.stdout is None:
        return report_unusable("the output", "it is closed")
    if alone:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        if not arguments:
            return choose_verb()
        options = parser().parse_args(arguments)
        if "file" in options:
            start_reading(alone)
        if getattr(options, "verb_name", "") == "compare" and options.against is None:
            start_xla()
        with warnings.catch_warnings():
            warnings.showwarning = print_warning  # type: ignore[assignment]
            return run_verb(options)
    finally:
        sys.stdout.flush()


def choose_verb() -> int:
    """Ask what a person wants to know; where nobody can be asked, print the questions with their verbs."""
    from interp.command.which import ask, is_on_terminal, show_table

    if is_on_terminal():
        return FINE if ask(EXAMPLES) else UNUSABLE
    print(show_table())
    print("interp: a verb is missing\n  interp --help has examples of each", file=sys.stderr)
    return UNUSABLE


def print_warning(message: Warning | str, *_: object) -> None:
    """Print a warning as a line of the error output."""
    print(f"note: {message}", file=sys.stderr)


def report_unusable(what: object, reason: str) -> int:
    print(f"{what} cannot be used: {reason}\n  make room, or name another place", file=sys.stderr)
    return UNUSABLE


def start_reading(alone: bool) -> None:
    """Start the process that reads programs, so that it imports while this one does."""
    from interp.loading.warm import WORKER

    WORKER.start(fork=alone)


def start_xla() -> None:
    """Start the process of XLA, which the float reference needs, so that it imports while this one does."""
    from interp.execute.xla_process import XLA

    XLA.start()


# The parser of the command line, which creates the options of the chosen verb only


def parser() -> argparse.ArgumentParser:
    top = Parser(
        "interp",
        description="Runs StableHLO programs with quantized reductions, and shows what happens in them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    verbs: Any = top.add_subparsers(metavar=" | ".join(VERBS), required=True, parser_class=VerbParser)
    for name, verb in VERBS.items():
        new = verbs.add_parser(name, help=verb.help, verb=verb)
        new.set_defaults(verb=verb.do, verb_name=name, complete_parser=complete_parser)
    return top


def complete_parser() -> argparse.ArgumentParser:
    """Return the parser with the options of every verb."""
    top = parser()
    for verb in verbs_of(top).values():
        verb.complete()
    return top


class Parser(argparse.ArgumentParser):
    """Parser that answers an unknown word with its own usage and the nearest word that it knows."""

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or an error; argparse's own method hides that it could not be written."""
        (file or sys.stderr).write(message)

    def refuse_options(self, words: Sequence[str]) -> None:
        """Exit if a word is an option that the parser does not have, not even as the beginning of a name."""
        for word in takewhile("--".__ne__, words):
            name = word.partition("=")[0]
            if not re.match("--?[A-Za-z]", word) or " " in word:
                continue
            known = [x for x in self._option_string_actions if x.startswith("--")]
            short = word[:2] in self._option_string_actions
            if not (any(x.startswith(name) for x in known) if word.startswith("--") else short):
                self.refuse(f"no option {name}", name, known, "options")

    def refuse(self, what: str, word: str, known: Sequence[str], kind: str) -> NoReturn:
        """Exit with the words of a kind that are near to one that is not known, or else all of them."""
        from difflib import get_close_matches

        names = {name.lstrip("-"): name for name in known}
        close = [names[name] for name in get_close_matches(word.lstrip("-"), names, n=2)]
        meant = f"did you mean {' or '.join(close)}?" if close else f"the {kind} are {', '.join(known)}"
        self.error(f"{what}: {meant}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a verb and its words, of which only those before the verb are this parser's."""
        words = list(takewhile(lambda word: word.startswith("-"), args))
        self.refuse_options(words)
        if len(words) < len(args) and args[len(words)] not in VERBS:
            self.refuse(f"no verb {args[len(words)]!r}", args[len(words)], [*VERBS], "verbs")
        return super().parse_known_args(args, namespace)


class VerbParser(Parser):
    """Parser that creates its options when its verb is chosen; creating all takes as long as a small run."""

    def __init__(self, verb: Verb, **rest: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(description=verb.help, epilog=verb.epilog, formatter_class=formatter, **rest)
        self.of_verb: Verb | None = verb
        self.in_parts = False

    def complete(self) -> None:
        """Create the options, once."""
        verb, self.of_verb = self.of_verb, None
        if verb:
            verb.options(self)
            if verb.has_data:
                data_options(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options and files in any sequence, which argparse does in two parts."""
        self.complete()
        if self.in_parts:
            return argparse.ArgumentParser.parse_known_args(self, args, namespace)
        self.refuse_options(args)
        self.in_parts = True
        try:
            options, rest = self.parse_known_intermixed_args(args, namespace)
        finally:
            self.in_parts = False
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest


class Version(argparse.Action):
    """Option that looks up the version only when it is used, since that takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        import interp

        print(f"interp {interp.version()}")
        parser.exit()
