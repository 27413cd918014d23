"""Main loop of the child process in which XLA compiles and runs programs, until the parent closes the pipe.

`python -m interp.execute.xla_child` serves the requests of `xla_process`: a program, its arguments, and the
compiler's options.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from spec.errors import Bug, InterpError
from spec.ir import Module

AS_WRITTEN = "as written"  # in place of options: those that keep every operation


class Request(NamedTuple):
    """A program and its arguments, or None to ask for the passes that change it.

    options: the compiler's; `AS_WRITTEN`, or None for XLA's own.
    """

    program: Module | Any
    args: Sequence[np.ndarray] | None
    options: Mapping[str, Any] | str | None


class Answer(NamedTuple):
    """Results of a program, or names of passes, and whether XLA can keep every operation here."""

    results: tuple[Any, ...]
    keeps_operations: bool


def prepare() -> Callable[[Any], Any]:
    """Import JAX and check the options that keep every operation; return what answers a request."""
    os.environ["JAX_PLATFORMS"] = "cpu"  # no device is taken from the parent
    from interp.execute import xla

    xla.options()

    def answer(request: Request) -> Answer | InterpError:
        options = xla.options() if request.options == AS_WRITTEN else request.options
        assert not isinstance(options, str)
        try:
            if request.args is None:
                found: Sequence[Any] = xla.changing_passes(request.program, options)
            else:
                found = xla.run_with_options(request.program, request.args, options)
            return Answer(tuple(found), xla.options() is not None)
        except InterpError as error:
            return error
        except MemoryError:  # what XLA has taken is not given back: the process ends, and the parent says so
            raise
        except Exception as error:
            return Bug(f"XLA's process: {type(error).__name__}: {error}")

    return answer


if __name__ == "__main__":
    from interp.execute import xla_child
    from interp.loading import server

    server.serve(xla_child.prepare)  # not this module's own, whose answers would be pickled as __main__'s
