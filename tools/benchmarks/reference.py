"""StableHLO's reference interpreter as a peer, in a process of its own, since it may abort.

`python -m benchmarks.reference` serves requests: a program and its arguments, answered with the first result;
then any number of calls to clock.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.cases import Case
from benchmarks.measure import Call, Unavailable, clocked
from interp.loading import server
from interp.loading.child_process import spawner
from interp.loading.warm import Child

TIMEOUT = 120.0  # seconds


class Reference:
    """The only child; it holds the program that was prepared last. Started again if it died."""

    def __init__(self) -> None:
        self.child: Child | None = None

    def prepare(self, case: Case) -> Call:
        """Return the plain program, whose results are those of the quantized one."""
        assert case.plain is not None
        args = [np.asarray(x, {"i32": np.int32, "f32": np.float32}[case.element]) for x in case.args]
        return Call(self.ask((case.plain(case.element), args)), self.ask)

    def ask(self, request: Any) -> Any:
        child = self.child = self.child or Child(spawner("benchmarks.reference"))
        try:
            return child.ask(request, TIMEOUT)
        except (EOFError, OSError):
            why = "\n".join(child.death().last)
            self.close()
            raise Unavailable(why) from None

    def close(self) -> None:
        if self.child:
            self.child.close()
        self.child = None


REFERENCE = Reference()
atexit.register(REFERENCE.close)


def serve() -> Callable[[Any], Any]:
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    from interp.apps.suite.children import attribute, parse_program, stored_elements

    context = ir.Context()
    evaluate: Callable[[], Any] = list

    def answer(request: Any) -> Any:
        """Return the result of a new program, or the seconds of a call, the mean of that many."""
        nonlocal evaluate
        if isinstance(request, int):
            with context:
                return clocked(evaluate, request)
        text, args = request
        with context:
            program = parse_program(context, text)
            types = next(iter(program.body)).type.inputs
            attributes = [attribute(x, type) for x, type in zip(args, types, strict=True)]
            evaluate = partial(stablehlo.eval_module, program, attributes)
            return stored_elements(evaluate()[0])

    return answer


if __name__ == "__main__":
    server.serve(serve)
