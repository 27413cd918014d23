"""The command line: `interp show|verify|run|trace|compare|lower|permits|repl|conformance|fuzz|errata`.

Little is imported here at once: who interrupts a command is to see no traceback, not of an import either.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

COLLECTED = 100_000  # objects between two collections of cycles: what a start makes is no garbage
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status; without arguments that of the command line, and end."""
    if arguments is not None:
        return interruptible(arguments)
    gc.set_threshold(COLLECTED)
    return ended(interruptible(sys.argv[1:], alone=True))


def interruptible(arguments: Sequence[str], alone: bool = False) -> int:
    """Return the exit status of a verb. alone: the process is a command of ours, and no user's."""
    try:
        from interp.command.status import status

        return status(arguments, alone)
    except KeyboardInterrupt:
        return INTERRUPTED


def ended(status: int) -> int:
    """End the process, but do not take apart what it has made: that is a tenth of a small run."""
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError):  # the status says so
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
