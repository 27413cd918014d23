"""XLA in a process of its own, kept warm: it may refuse a program, hang, or die of it.

`run_apart` runs a float program there, and `passes_apart` lists the passes that change one. What XLA does to
its process is an error here, `XlaFailed`, which says in words what happened.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from threading import Thread
from typing import Any

import numpy as np

from interp.execute.xla import Artifact
from interp.execute.xla_child import AS_WRITTEN, Answer, Request
from interp.loading.child_process import spawner
from interp.loading.warm import Death, Warm
from spec.errors import Malformed, Unsupported
from spec.ir import Module

Array = np.ndarray
Options = Mapping[str, Any] | str | None
VARIABLE = "INTERP_XLA_SECONDS"
SECONDS = 120.0  # for compiling and running one program, unless the environment's variable says otherwise
XLA = Warm(spawner("interp.execute.xla_child"))


class XlaFailed(Unsupported):
    """XLA gave no results: its verdict says whether its process died, hung or refused the program."""


class XlaDied(XlaFailed):
    """XLA's process died of a program, or was killed because it took too long."""


def run_apart(
    program: Module | Artifact,
    args: Sequence[Array],
    options: Options = AS_WRITTEN,
    seconds: float | None = None,
) -> list[Array]:
    """Return the results of a float program's @main on XLA's CPU backend, which runs in its own process.

    options: those of XLA's compiler, such as `{"xla_disable_hlo_passes": "algsimp,cse"}`; by default those
    that keep every operation as written, None for XLA's own. seconds: how long it may take, by default
    `INTERP_XLA_SECONDS` of the environment or 120. Raises `XlaFailed` with the verdict "XLA's process died
    (signal 11)", "XLA gave no results within 120 s", "XLA's process cannot start" or XLA's own refusal.
    """
    return list(Running(program, args, options, seconds).answer().results)


def passes_apart(
    program: Module | Artifact, options: Options = AS_WRITTEN, seconds: float | None = None
) -> list[str]:
    """Return the names of XLA's passes that change a program when it compiles it, in their order.

    Names are as `xla_disable_hlo_passes` takes them, of which XLA accepts unknown ones in silence.
    """
    return list(Running(program, None, options, seconds).answer().results)


class Running:
    """A program that runs in XLA's process while this one goes on; `answer` waits for its results."""

    def __init__(
        self,
        program: Module | Artifact,
        args: Sequence[Array] | None,
        options: Options = AS_WRITTEN,
        seconds: float | None = None,
    ) -> None:
        self.seconds = time_limit() if seconds is None else float(seconds)
        self.reply: Any = None
        self.program = program
        given = None if args is None else [np.asarray(x) for x in args]
        request = Request(
            program, given, options if options is None or isinstance(options, str) else dict(options)
        )
        self.thread = Thread(target=self._ask, args=(request,), daemon=True)
        self.thread.start()

    def _ask(self, request: Request) -> None:
        try:
            self.reply = XLA.ask(request, self.seconds)
        except BaseException as error:
            self.reply = error

    def answer(self) -> Answer:
        """Return XLA's answer, or raise `XlaFailed`."""
        try:
            self.thread.join()
        except BaseException:  # an interrupt: what XLA still computes is of no use
            XLA.end()
            raise
        if isinstance(self.reply, Answer):
            return self.reply
        raise self._error()

    def _error(self) -> BaseException:
        reply = self.reply
        if isinstance(reply, Unsupported):
            return XlaFailed(reply.verdict, reply.evidence, reply.where)
        if not isinstance(reply, Death):
            return (
                reply if isinstance(reply, BaseException) else Malformed(f"XLA's process replied {reply!r}")
            )
        last = "\n".join(reply.last)
        if not reply.ready:
            return XlaFailed(f"XLA's process cannot start ({reply.cause})", last)
        if reply.late:
            advice = f"set {VARIABLE}, in seconds, to give it more"
            return XlaDied(f"XLA gave no results within {self.seconds:g} s", advice)
        return XlaDied(f"XLA's process died ({reply.cause})", last)


def time_limit() -> float:
    """Return how many seconds XLA may take for a program: `INTERP_XLA_SECONDS`, or 120."""
    text = os.environ.get(VARIABLE)
    try:
        seconds = SECONDS if text is None else float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise Malformed(f"{VARIABLE}={text}", "expected a number of seconds above 0")
    return seconds
