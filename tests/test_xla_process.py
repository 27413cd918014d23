"""XLA's process: results, errors in words, deaths, deadlines, threads, forks and its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from interp.execute.xla import AS_WRITTEN, artifact_of
from interp.execute.xla_process import XLA, XlaFailed, passes_apart, run_apart
from spec.errors import Malformed
from tests.library.builders import chained
from tests.library.children.reader_requests import Abort, Sleep

ROOT = Path(__file__).resolve().parent.parent
QUOTIENTS = chained("a b: 4xf32", "0 = divide a b", "divide 0 b")
X, Y = np.float32([1, 2, 3, 4]), np.float32([3, 3, 7, 7])


def test_it_gives_what_xla_gives_as_written() -> None:
    assert run_apart(QUOTIENTS, [X, Y])[0].tolist() == (X / Y / Y).tolist()


def test_options_reach_the_compiler() -> None:
    """By default XLA divides by the rounded product of the divisors; without `algsimp` it does not."""
    program = chained("a b c: 4096xf32", "0 = divide a b", "divide 0 c")
    args = [np.float32(1 + np.arange(4096) * step) for step in (0.03, 0.05, 0.07)]
    written = (args[0] / args[1] / args[2]).tolist()
    assert run_apart(program, args, AS_WRITTEN)[0].tolist() == written
    assert run_apart(program, args, {"xla_disable_hlo_passes": "algsimp"})[0].tolist() == written
    assert run_apart(program, args, None)[0].tolist() != written


def test_the_passes_that_change_a_program_have_the_names_that_disable_them() -> None:
    names = passes_apart(QUOTIENTS, None)
    assert "algsimp" in names
    assert "algsimp" not in passes_apart(QUOTIENTS, {"xla_disable_hlo_passes": "algsimp"})


def test_a_refusal_is_an_error_and_the_process_lives() -> None:
    with pytest.raises(XlaFailed, match=r"does not run(.|\n)*No such compile option: 'no_such_option'"):
        run_apart(QUOTIENTS, [X, Y], {"no_such_option": True})
    assert run_apart(QUOTIENTS, [X, Y])[0].size == 4


@pytest.mark.slow("starts the process again")
def test_a_death_and_a_hang_are_errors_and_the_next_request_gets_a_new_process() -> None:
    with pytest.raises(XlaFailed, match=r"^XLA's process died \(signal 6\)"):
        run_apart(Abort(), [])  # type: ignore[arg-type]
    with pytest.raises(XlaFailed, match=r"^XLA gave no results within 0.5 s\n.*INTERP_XLA_SECONDS"):
        run_apart(Sleep(), [], seconds=0.5)  # type: ignore[arg-type]
    assert run_apart(QUOTIENTS, [X, Y])[0].size == 4


def test_the_environment_sets_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERP_XLA_SECONDS", "soon")
    with pytest.raises(Malformed, match="INTERP_XLA_SECONDS=soon"):
        run_apart(QUOTIENTS, [X, Y])
    monkeypatch.setenv("INTERP_XLA_SECONDS", "0.25")
    with pytest.raises(XlaFailed, match=r"within 0\.25 s"):
        run_apart(Sleep(), [])  # type: ignore[arg-type]


def test_threads_share_the_process() -> None:
    def quotient(k: int) -> bool:
        return bool((run_apart(QUOTIENTS, [X + k, Y])[0] == np.float32(X + k) / Y / Y).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(quotient, range(16)))


def test_a_jax_function_runs_there_unless_it_needs_this_process() -> None:
    import jax
    import jax.numpy as jnp

    program = artifact_of(lambda x, y: {"quotient": x / y, "sorted": jnp.sort(x)}, [X, Y], wide=False)
    assert program
    assert [x.tolist() for x in run_apart(program, [X, Y])] == [(X / Y).tolist(), sorted(X.tolist())]
    assert artifact_of(lambda x: jax.pure_callback(lambda v: v, x, x), [X], wide=False) is None
    with pytest.raises(TypeError, match="dot_general"):
        artifact_of(lambda x: x @ x.reshape(2, 2), [X], wide=False)


def test_an_argument_that_the_function_ignores_is_not_missed() -> None:
    program = artifact_of(lambda x, y: y + y, [X, Y], wide=False)
    assert program
    assert program.kept == (1,)
    assert run_apart(program, [X, Y])[0].tolist() == (Y + Y).tolist()


SCRIPT = f"""
import os, sys
import numpy as np
import interp
from interp.execute.xla_process import XLA, run_apart
program = interp.load({repr(QUOTIENTS)!r})
x = np.ones(4, np.float32)
run_apart(program, [x, x])
"""


def printed(code: str) -> list[str]:
    script = [sys.executable, "-c", SCRIPT + code]
    ended = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert not ended.stderr
    return ended.stdout.split()


@pytest.mark.slow("starts two processes")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_gets_a_process_of_its_own() -> None:
    assert printed("""
first = XLA.child.process.pid
pid = os.fork()
run_apart(program, [x, x])
print(XLA.child.process.pid == first, flush=True)
if pid: os.waitpid(pid, 0)
else: XLA.close(); os._exit(0)
""") in (["True", "False"], ["False", "True"])


@pytest.mark.slow("starts a process")
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_it_ends_with_its_parent_and_the_parent_needs_no_jax() -> None:
    loaded, child = printed("""
print('jax' in sys.modules, XLA.child.process.pid, flush=True)
os.kill(os.getpid(), 9)
""")
    assert loaded == "False"
    state = Path("/proc", child, "stat")
    for _ in range(100):
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("XLA's process still runs ten seconds after its parent was killed")


def test_it_is_warm() -> None:
    run_apart(QUOTIENTS, [X, Y])
    assert XLA.child
    first = XLA.child.process.pid
    run_apart(QUOTIENTS, [Y, X])
    assert XLA.child
    assert XLA.child.process.pid == first
