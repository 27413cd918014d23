"""Implementations that the suite can run: ours, the oracle, others in child processes, or any command."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple, Protocol

import numpy as np

from interp.apps.runtimes.runtimes import RUNTIMES, require
from interp.apps.runtimes.translation import NOT_EXPRESSIBLE, RUNNING, Reply
from interp.apps.suite.cases import Case
from interp.apps.suite.children import CHILDREN
from interp.backends.dtypes import numpy_dtype
from interp.engine.files import write_text
from interp.engine.inputs import read_array, write_arrays
from interp.loading.child_process import spawner
from interp.loading.warm import Death, Warm
from spec.errors import InterpError, Malformed, Unspecified, Unsupported
from spec.ir import Module

TIMEOUT = 20.0  # seconds a case
INVALID = "an invalid program, which only a reader of StableHLO refuses"


class Question(NamedTuple):
    """A case, its program and the arguments to run it on; `program` is None if jaxlib cannot read it."""

    case: Case
    module: Module | None
    args: Sequence[np.ndarray]


class Implementation(Protocol):
    """An implementation that answers questions, one after another, until it is closed."""

    def __call__(self, question: Question) -> Reply: ...

    def close(self) -> None: ...


class InProcess:
    """A function in this process: it takes a program, the mode of verification and arguments."""

    def __init__(self, run: Callable[[Module, str, Sequence[np.ndarray]], Sequence[np.ndarray]]) -> None:
        self.run = run

    def __call__(self, question: Question) -> Reply:
        case, module, args = question
        if module is None:
            return Reply("refused", message=case.malformed)
        try:
            return Reply("results", tuple(self.run(module, case.mode, args)))
        except (Unsupported, Unspecified) as error:
            return Reply("unsupported", message=str(error))
        except InterpError as error:
            return Reply("refused", message=str(error))
        except Exception as error:
            return Reply("crashed", message=f"{type(error).__name__}: {error}")

    def close(self) -> None:
        pass


class InChild:
    """An implementation of `interp.apps.suite.children`; its process is started again when it dies."""

    def __init__(self, name: str, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self.process = Warm(spawner("interp.apps.suite.children"))

    def __call__(self, question: Question) -> Reply:
        case, module, args = question
        reply = self.process.ask((self.name, case.text, module, tuple(args)), self.timeout)
        if not isinstance(reply, Death):
            return reply
        if not reply.ready:
            return Reply("crashed", message="\n".join([f"cannot start ({reply.cause})", *reply.last]))
        end = "hung" if reply.late else f"crashed ({reply.cause})"
        message = ": ".join([end, *reply.last[-1:]])
        return Reply("timed out" if reply.late else "crashed", message=message, how=running(reply.last))

    def close(self) -> None:
        self.process.close()


def running(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the operators that a runtime ran when it crashed, of which it told before."""
    found = next((line for line in reversed(lines) if line.startswith(RUNNING)), "")
    return tuple(filter(None, found.removeprefix(RUNNING).split(", ")))


class Translated(InChild):
    """A runtime of `interp.apps.runtimes`, in a child process; invalid programs are not translated."""

    def __call__(self, question: Question) -> Reply:
        if question.case.constraint:
            return Reply(
                NOT_EXPRESSIBLE, message="an invalid program, which only a reader of StableHLO refuses"
            )
        return super().__call__(question)


class Command:
    """A command that follows the protocol in docs/conformance.md: a program, a folder, arguments."""

    def __init__(self, command: str, timeout: float) -> None:
        self.words, self.timeout = words_of(command), timeout

    def __call__(self, question: Question) -> Reply:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            return self.run(question, Path(folder))

    def run(self, question: Question, folder: Path) -> Reply:
        module, results = folder / "module.mlir", folder / "results"
        write_text(module, question.case.text)
        results.mkdir()
        inputs = list(map(str, write_arrays(question.args, folder, "in")))
        try:
            status, message, unhandled = run_command(
                [*self.words, str(module), str(results), *inputs], self.timeout
            )
        except OSError as error:
            raise Malformed(f"cannot start {self.words[0]}: {error.strerror}", "see --help") from None
        if status is None:
            return Reply("timed out", message=message)
        if status:
            kind = "crashed" if unhandled else STATUS.get(status, "crashed")
            return Reply(kind, message=message or cause(status))
        try:
            return Reply("results", tuple(map(read_array, result_files(results))), message)
        except Malformed as error:
            return Reply("wrong", message=f"{Path(error.where.file).name}: {error.verdict}: {error.evidence}")

    def close(self) -> None:
        pass


def words_of(command: str) -> list[str]:
    """Split a command line as a shell does."""
    advice = f"built-in: {', '.join(NAMES)}; or a command, as docs/conformance.md has it"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Malformed(f"{command!r} is not a command: {error}", advice) from None
    if not words or not words[0]:
        raise Malformed("no implementation is named", advice)
    return words


STATUS = {1: "refused", 2: "unsupported"}  # exit status of a command; others: crashed


def cause(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}, without a message"


def result_files(folder: Path) -> Iterator[str]:
    """Return the files `out0.npy`, `out1.npy`, ... that exist."""
    return takewhile(os.path.lexists, (str(folder / f"out{k}.npy") for k in count()))


def run_numpy(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run `interp.run`."""
    from interp.execute.run import run

    return [result.storage for result in run(module, *args, mode=mode)]


def run_compiled(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run `interp.compile`."""
    from interp.execute.compile import compile

    return [np.asarray(result) for result in compile(module, mode=mode)(*args)]


def run_oracle(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run `spec.meaning.evaluate`, the literal meaning."""
    from interp.engine.arguments import accept_arguments
    from interp.execute.run import refuse_violations
    from spec.meaning.evaluate import evaluate
    from spec.meaning.index import Tensor

    refuse_violations(module, mode)
    arrays = accept_arguments(module.main, args)
    tensors = [
        Tensor(v.type, tuple(x.ravel().tolist())) for v, x in zip(module.main.inputs, arrays, strict=True)
    ]
    return [
        np.array(x.elements, numpy_dtype(x.type.storage_type)).reshape(x.type.shape)
        for x in evaluate(module, tensors)
    ]


OURS = {"numpy": run_numpy, "compiled": run_compiled, "oracle": run_oracle}
NAMES = (*OURS, *CHILDREN, *RUNTIMES)


def implementation(name: str, timeout: float = TIMEOUT) -> Implementation:
    """Return the built-in implementation with this name, or else one that runs it as a command."""
    if name in OURS:
        return InProcess(OURS[name])
    if name == "iree" and importlib.util.find_spec("iree") is None:
        raise Unsupported("iree is not installed", "pip install iree-base-compiler iree-base-runtime")
    if name in RUNTIMES:
        require(name)
        return Translated(name, timeout)
    return InChild(name, timeout) if name in CHILDREN else Command(name, timeout)


# A foreign command in a process of its own: with a time limit, without input, with any amount of output


KEPT = 1 << 16  # bytes at the end of an output
SHOWN = 500  # characters of a message
GRACE = 5.0  # seconds for the end of an output after that of its process
# How runtimes tell of an error that nothing handled, before they exit with 1 or 2 of their own accord.
UNHANDLED = re.compile(
    r"^(Traceback \(most recent call last\):|panic: |Exception in thread |Node\.js v\d)", re.M
)


class Ended(NamedTuple):
    """The end of a process: `status` is None if it took too long, negative for a signal.

    `message`: the end of its output. `unhandled`: whether that shows an error that nothing handled.
    """

    status: int | None
    message: str
    unhandled: bool


class Tail(Thread):
    """Thread that reads a stream to its end, and keeps the last part of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.stream, self.kept = stream, b""
        self.start()

    def run(self) -> None:
        with suppress(OSError, ValueError):  # closed while it was read
            while part := os.read(self.stream.fileno(), KEPT):
                self.kept = (self.kept + part)[-KEPT:]

    def text(self) -> str:
        self.join(GRACE)
        return self.kept.decode("utf-8", "replace").strip()


def run_command(words: Sequence[str], seconds: float) -> Ended:
    """Run a command, with all processes that it starts, for at most `seconds`; OSError if it cannot start."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stderr
        tails = Tail(process.stderr), Tail(process.stdout)
        status: int | None = None
        try:
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        errors, output = (tail.text() for tail in tails)
    return Ended(status, error_first(shorten(errors or output)), bool(UNHANDLED.search(errors)))


def error_first(message: str) -> str:
    """Return a traceback with its last line, the error itself, in front."""
    *above, last = message.split("\n")
    return "\n".join([last, *above]) if any(line.startswith('  File "') for line in above) else message


def shorten(message: str) -> str:
    """Return a text's last complete lines, or the end of one long line."""
    end = message[-SHOWN:]
    return end if end == message else end.partition("\n")[2] or end
