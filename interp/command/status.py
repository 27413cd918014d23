"""Exit status of a command, and its errors: two lines each, with a traceback only for a bug."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

from interp.command.answer import FINDING, FINE, UNUSABLE, answered
from interp.command.parser import parser
from spec.errors import Finding, InterpError, Violation


def status(arguments: Sequence[str], alone: bool = False) -> int:
    """Run a verb, print its errors and return the exit status.

    alone: the process runs this command only.
    """
    try:
        return printed(arguments, alone)
    except InterpError as error:
        print(error, file=sys.stderr)
        return FINDING if isinstance(error, Violation | Finding) else UNUSABLE
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        return FINE
    except OSError as error:
        return refused(error.filename or "the output", error.strerror or str(error))
    except MemoryError as error:
        print(f"not enough memory: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception:
        import traceback

        traceback.print_exc()
        print("a bug in interp: please report it with the program", file=sys.stderr)
        return UNUSABLE


def printed(arguments: Sequence[str], alone: bool) -> int:
    """Run a verb and return its exit status; printed characters that cannot be encoded become `?`."""
    if sys.stdout is None:
        return refused("the output", "it is closed")
    if alone:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        options = parser().parse_args(arguments)
        if "file" in options:
            start_reading(alone)
        if getattr(options, "verb_name", "") == "compare" and options.against is None:
            start_xla()
        with warnings.catch_warnings():
            warnings.showwarning = noted  # type: ignore[assignment]
            return answered(options)
    finally:
        sys.stdout.flush()


def noted(message: Warning | str, *_: object) -> None:
    """Print a warning as a line of the error output."""
    print(f"note: {message}", file=sys.stderr)


def refused(what: object, reason: str) -> int:
    print(f"{what} cannot be used: {reason}\n  make room, or name another place", file=sys.stderr)
    return UNUSABLE


def start_reading(alone: bool) -> None:
    """Start the process that reads programs, so that it imports while this one does."""
    from interp.loading.worker import WORKER

    WORKER.start(fork=alone)


def start_xla() -> None:
    """Start the process of XLA, which the float reference needs, so that it imports while this one does."""
    from interp.execute.xla_process import XLA

    XLA.start()
