"""The command line: `interp show|verify|run|trace|compare|lower|permits|repl|conformance|fuzz|errata`.

Other modules are imported inside the functions, so that an interrupt during an import shows no traceback.
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
    """Run one verb and return its exit status; without `arguments`, take those of the process and exit."""
    if arguments is not None:
        return interruptible(arguments)
    gc.set_threshold(COLLECTED)
    return exit_at_once(interruptible(sys.argv[1:], alone=True))


def interruptible(arguments: Sequence[str], alone: bool = False) -> int:
    """Run a verb and return its exit status.

    alone: the process runs this command only, so it need not be left usable afterwards.
    """
    try:
        from interp.command.status import status

        return status(arguments, alone)
    except KeyboardInterrupt:
        return INTERRUPTED


def exit_at_once(status: int) -> int:
    """Exit at once without freeing memory, which would take a tenth of the time of a small run."""
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError):  # the status says so
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
