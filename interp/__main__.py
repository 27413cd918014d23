"""The command line: `interp show|verify|run|trace|compare|lower|permits|repl|conformance|fuzz|errata`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from interp.command.options import parser
from interp.command.verbs import FINDING, FINE, UNUSABLE
from spec.errors import InterpError, Violation

COLLECTED = 100_000  # objects between two collections of cycles: what a start makes is no garbage


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status; without arguments that of the command line, and end."""
    if arguments is not None:
        return status(arguments)
    gc.set_threshold(COLLECTED)
    return ended(status(sys.argv[1:], fork=True))


def ended(status: int) -> int:
    """End the process, but do not take apart what it has made: that is a tenth of a small run.

    Where its output cannot be written it goes on, and the interpreter's own end says so.
    """
    atexit._run_exitfuncs()
    with suppress(OSError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(status)
    return status


def status(arguments: Sequence[str], fork: bool = False) -> int:
    """The exit status of a verb, errors printed. fork: this process may have a copy, as no user's may."""
    options = parser().parse_args(arguments)
    try:
        if "file" in options:
            start_reading(fork)
        return options.verb(options)
    except InterpError as error:
        print(error, file=sys.stderr)
        return FINDING if isinstance(error, Violation) or is_finding(error) else UNUSABLE
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except KeyboardInterrupt:
        return 130
    except MemoryError as error:
        print(f"not enough memory: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception:
        traceback.print_exc()
        print("a bug in interp: please report it with the program", file=sys.stderr)
        return UNUSABLE


def start_reading(fork: bool) -> None:
    """Let the process that reads programs start while this one imports what it needs afterwards."""
    from interp.reading.worker import WORKER

    WORKER.start(fork)


def is_finding(error: InterpError) -> bool:
    from interp.tracing.events import Finding

    return isinstance(error, Finding)


if __name__ == "__main__":
    sys.exit(main())
