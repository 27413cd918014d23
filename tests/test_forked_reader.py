"""The copy of the command's process that reads its programs: when there is one, how it dies, what it leaves.

Each test is a process of its own: this one may have threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interp.loading.server import MEMORY
from tests.library.children.reader_requests import LATER, NO_MEMORY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "testdata" / "programs" / "global_sum.current.mlirbc"
COMMAND = f"""
import atexit, sys
from interp.__main__ import main
from interp.loading.warm import WORKER
sys.argv = ["interp", "show", {str(PROGRAM)!r}]
"""
TELL = "atexit.register(lambda: print(type(WORKER.child.process).__name__))"
FORKED = """
import os, signal, sys
from interp.loading.warm import Worker
from spec.errors import InterpError
from tests.library.children.reader_requests import Abort, Executed, Sleep, read
worker = Worker()
worker.start(fork=True)
first = worker.child.process
def refusal(*rest, **options):
    try:
        read(worker, *rest, **options)
    except InterpError as error:
        return f"{type(error).__name__}: {error}"
"""


def process(code: str) -> subprocess.Popen[bytes]:
    """A Python process with buffers, whatever this one has."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-W", "error", "-c", code]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)  # type: ignore[call-overload]


def printed(code: str) -> list[str]:
    """The lines that a process prints; it must end well, and without a word on its error output."""
    with process(code) as running:
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err.decode()) == (0, "")
    return out.decode().splitlines()


def test_a_command_reads_in_a_copy_of_itself() -> None:
    *program, child = printed(f"{COMMAND}\n{TELL}; main()")
    assert child == "Forked"
    assert program == printed(f"{COMMAND}\nmain()")


@pytest.mark.slow("starts processes", rows=2)
@pytest.mark.parametrize(
    "reason",
    [
        pytest.param("main(sys.argv[1:])", id="not a command"),
        pytest.param("import threading; threading.Timer(60, print).start(); main()", id="threads"),
        pytest.param("from jaxlib.mlir import ir; main()", id="jaxlib"),
        pytest.param("sys.stdin = None; main()", id="no standard input"),
    ],
)
def test_where_a_copy_would_not_be_sound_the_child_is_a_fresh_interpreter(reason: str) -> None:
    assert printed(f"{COMMAND}\n{TELL}; {reason}")[-1] == "Popen"


def test_a_crash_is_an_error_and_the_next_request_gets_a_fresh_child() -> None:
    died, functions, kind = printed(f"""{FORKED}
print(refusal(Abort()).splitlines()[0])
print(*read(worker).functions, type(worker.child.process).__name__, sep="\\n")
""")
    assert died == "Malformed: a.mlir: reader crashed (signal 6)"
    assert (functions, kind) == ("main", "Popen")


def test_a_hang_is_an_error() -> None:
    died, functions = printed(f"""{FORKED}
read(worker)
print(refusal(Sleep(), timeout=0.2).splitlines()[0], *read(worker).functions, sep="\\n")
""")
    assert (died, functions) == ("Malformed: a.mlir: reader hung", "main")


def test_what_an_earlier_request_did_to_the_child_is_no_fault_of_the_next() -> None:
    assert printed(f"""{FORKED}
read(worker, Executed({LATER!r}))
print(*read(worker).functions, worker.child.process is first)
""") == ["main False"]


def test_without_memory_it_ends() -> None:
    died, *evidence = printed(f"{FORKED}\nread(worker)\nprint(refusal(Executed({NO_MEMORY!r})))")
    assert died == "Malformed: a.mlir: reader crashed (exit status 1)"
    assert evidence[-1].strip() == "MemoryError"


def test_its_memory_is_limited() -> None:
    limits = "import resource; print(resource.prlimit(first.pid, resource.RLIMIT_AS)[0])"
    (limit,) = printed(f"{FORKED}\nread(worker)\n{limits}")
    assert MEMORY <= int(limit) < MEMORY + 100_000


def test_a_copy_that_was_killed_between_requests_is_replaced() -> None:
    assert printed(f"""{FORKED}
read(worker)
os.kill(first.pid, signal.SIGKILL)
while first.poll() is None: pass
print(*read(worker).functions, first.wait(), worker.child.process is first)
""") == ["main -9 False"]


def test_a_jaxlib_that_cannot_start_is_no_fault_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "jaxlib.py").write_text("raise ImportError('this jaxlib is broken')")
    lines = printed(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{FORKED}\nprint(refusal())")
    assert lines[0].startswith("Bug: the reader process cannot start (exit status 1)")
    assert lines[-1].strip() == "ImportError: this jaxlib is broken"


def test_an_interrupt_is_the_parents() -> None:
    assert printed(f"""{FORKED}
os.kill(first.pid, signal.SIGINT)
read(worker)
os.kill(first.pid, signal.SIGINT)
print(*read(worker).functions, worker.child.process is first)
""") == ["main True"]


def test_nothing_is_printed_or_done_twice() -> None:
    """Neither what the parent had not flushed nor what it registered for its end, however the copy ends."""
    early = "import atexit; print('buffered'); atexit.register(print, 'the end')"
    for death in (
        "refusal(Abort())",
        "os.kill(first.pid, signal.SIGTERM)",
        "first.stdin.close()",
        "read(worker)",
    ):
        assert printed(f"{early}\n{FORKED}\n{death}\nfirst.kill(); first.wait()") == ["buffered", "the end"]


def test_it_does_not_hold_the_parents_output() -> None:
    """`interp ... | head`: the reader of a pipe sees its end when the parent has closed it."""
    code = f"{FORKED}\nread(worker); os.close(1); signal.pause()"
    with process(code) as running:
        assert running.stdout is not None
        assert running.stdout.read() == b""
        assert running.poll() is None
        running.kill()


def test_it_ends_with_its_parent() -> None:
    code = f"{FORKED}\nread(worker); print(first.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    with process(code) as running:
        out, _ = running.communicate(timeout=60)
    child = Path("/proc", out.decode().strip(), "stat")
    for _ in range(100):
        if not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the copy still runs ten seconds after its parent was killed")
