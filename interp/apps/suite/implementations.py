"""Implementations that the suite can run: ours, others in child processes, commands, servers, functions."""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, takewhile
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np

from interp.apps.runtimes.runtimes import RUNTIMES, missing, require
from interp.apps.runtimes.translation import NOT_EXPRESSIBLE, RUNNING, Reply
from interp.apps.suite.cases import Case
from interp.apps.suite.children import CHILDREN
from interp.apps.suite.commands import run_command
from interp.apps.suite.compilers import PJRT, has_iree, require_iree, require_plugin
from interp.apps.suite.servers import Server
from interp.backends.dtypes import numpy_dtype
from interp.engine.files import write_text
from interp.engine.inputs import plain_array, read_array, write_arrays
from interp.loading.child_process import spawner
from interp.loading.warm import Death, Warm
from spec.errors import InterpError, Malformed, Unspecified, Unsupported, Violation
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


def reply(compute: Callable[[], Sequence[np.ndarray]]) -> Reply:
    """Return the results of a computation in this process, or how it failed."""
    try:
        return Reply("results", tuple(compute()))
    except (Unsupported, Unspecified) as error:
        return Reply("unsupported", message=str(error))
    except InterpError as error:
        code = error.code if isinstance(error, Violation) else ""
        return Reply("refused", message=str(error), code=code)
    except Exception as error:
        return Reply("crashed", message=f"{type(error).__name__}: {error}")


class InProcess:
    """A function in this process: it takes a program, the mode of verification and arguments."""

    def __init__(self, run: Callable[[Module, str, Sequence[np.ndarray]], Sequence[np.ndarray]]) -> None:
        self.run = run

    def __call__(self, question: Question) -> Reply:
        case, module, args = question
        if module is None:
            return Reply("refused", message=case.malformed)
        return reply(lambda: self.run(module, case.mode, args))

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


class Served:
    """A command that follows the protocol of servers: one process answers many cases."""

    def __init__(self, command: str, timeout: float) -> None:
        self.server = Server(words_of(command), timeout)

    def __call__(self, question: Question) -> Reply:
        return self.server.ask(question.case.text, question.args)

    def close(self) -> None:
        self.server.close()


class Called:
    """A Python function that takes a program's MLIR text and a list of arrays, and returns its results."""

    def __init__(self, function: Callable[[str, list[np.ndarray]], Any]) -> None:
        self.function = function

    def __call__(self, question: Question) -> Reply:
        return reply(lambda: self._results(question))

    def _results(self, question: Question) -> list[np.ndarray]:
        results = self.function(question.case.text, [plain_array(x).copy() for x in question.args])
        alone = hasattr(results, "shape") or not isinstance(results, Iterable)
        return [np.asarray(getattr(x, "storage", x)) for x in ((results,) if alone else results)]

    def close(self) -> None:
        pass


def words_of(command: str) -> list[str]:
    """Split a command line as a shell does."""
    advice = (
        f"built-in: {', '.join(available())}; a command, server:COMMAND or pjrt:PATH, see docs/conformance.md"
    )
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


SERVER = "server:"  # before a command that serves the protocol of `servers.py`
Named = str | Callable[[str, list[np.ndarray]], Any]  # an implementation as its user names it


def available() -> list[str]:
    """Return the built-in implementations whose packages are installed."""
    absent = {name for name in RUNTIMES if missing(name)} | (set() if has_iree() else {"iree"})
    return [name for name in NAMES if name not in absent]


def name_of(impl: Named) -> str:
    """Return the name of an implementation, as reports show it."""
    return impl if isinstance(impl, str) else getattr(impl, "__name__", type(impl).__name__)


def implementation(impl: Named, timeout: float = TIMEOUT, jobs: int = 1) -> Implementation:
    """Return the implementation that a name, a command, a server, a plugin's path or a function stands for.

    jobs: the number of processes in which it runs, so that so many threads can ask it at a time.
    """
    if not isinstance(impl, str):
        if not callable(impl):
            advice = "expected a name, a command, or a function of a program's text and a list of arrays"
            raise Malformed(f"{type(impl).__name__} is not an implementation", advice)
        return Called(impl)
    if jobs > 1 and impl not in OURS:
        return Several([_implementation(impl, timeout) for _ in range(jobs)])
    return _implementation(impl, timeout)


def _implementation(name: str, timeout: float) -> Implementation:
    if name in OURS:
        return InProcess(OURS[name])
    if name == "iree":
        require_iree()
    if name in RUNTIMES:
        require(name)
        return Translated(name, timeout)
    if name.startswith(SERVER):
        return Served(name.removeprefix(SERVER), timeout)
    if name.startswith(PJRT):
        require_plugin(name)
        return InChild(name, timeout)
    return InChild(name, timeout) if name in CHILDREN else Command(name, timeout)


class Several:
    """Implementations that are alike, of which each answers one thread at a time."""

    def __init__(self, members: Sequence[Implementation]) -> None:
        self.members, self.idle = members, SimpleQueue[Implementation]()
        for member in members:
            self.idle.put(member)

    def __call__(self, question: Question) -> Reply:
        member = self.idle.get()
        try:
            return member(question)
        finally:
            self.idle.put(member)

    def close(self) -> None:
        for member in self.members:
            member.close()


class Answered(NamedTuple):
    """A question with its answer, and the seconds that it took."""

    question: Question
    reply: Reply
    seconds: float


def ask_all(tested: Implementation, questions: Iterable[Question], jobs: int = 1) -> Iterator[Answered]:
    """Yield the answers to questions in their order; `jobs` are asked at a time, from as many threads."""

    def ask(question: Question) -> Answered:
        start = time.monotonic()
        return Answered(question, tested(question), time.monotonic() - start)

    if jobs == 1 or isinstance(tested, InProcess):
        yield from map(ask, questions)
        return
    waiting = deque[Future[Answered]]()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for question in questions:
                waiting.append(pool.submit(ask, question))
                if len(waiting) > jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()
