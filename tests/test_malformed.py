"""Damaged programs: each loads or is refused with an error of ours. No crash, no hang, and no bug either."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from interp.loading.load import load
from interp.loading.server import MEMORY
from interp.loading.warm import Worker
from spec.errors import Bug, Malformed, Unsupported
from tests.library.children.reader_requests import LATER, NO_MEMORY, PROGRAM, Abort, Executed, Sleep, read

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "testdata" / "programs"
ARTIFACTS = [path.read_bytes() for path in sorted(PROGRAMS.glob("*.mlirbc"))]
TEXTS = [path.read_bytes() for path in sorted(PROGRAMS.glob("*.mlir")) if path.stem != "rfc_example"]
ROUNDS = 4  # of 50 programs each, for bytecode and for text; the soak goes on

Draw = random.Random
Damage = Callable[[bytes, Draw], bytes]


def flipped_bit(data: bytes, draw: Draw) -> bytes:
    place = draw.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << draw.randrange(8)]) + data[place + 1 :]


def another_byte(data: bytes, draw: Draw) -> bytes:
    place = draw.randrange(len(data))
    return data[:place] + draw.randbytes(1) + data[place + 1 :]


def truncated(data: bytes, draw: Draw) -> bytes:
    return data[: draw.randrange(len(data))]


def cut(data: bytes, draw: Draw) -> bytes:
    start = draw.randrange(len(data))
    return data[:start] + data[start + draw.randrange(1, 16) :]


def doubled(data: bytes, draw: Draw) -> bytes:
    start = draw.randrange(len(data))
    return data[:start] + data[start : start + draw.randrange(1, 64)] + data[start:]


def another_digit(data: bytes, draw: Draw) -> bytes:
    """Change a digit: most numbers in text are sizes, widths, scales and zero points, and it still parses."""
    digits = [i for i, byte in enumerate(data) if byte in b"0123456789"]
    place = draw.choice(digits or [0])
    return data[:place] + b"%d" % draw.randrange(10) + data[place + 1 :]


def mutated(data: bytes, kinds: list[Damage], draw: Draw) -> bytes:
    """One to three kinds of damage, behind the first bytes, which say what the file is."""
    body = data[8:]
    for _ in range(draw.randrange(1, 4)):
        body = draw.choice(kinds)(body, draw) if body else body
    return data[:8] + body


def outcome(data: bytes) -> str:
    """Return the result of loading; anything but a module, `Malformed` or `Unsupported` fails the test."""
    try:
        load(data)
    except (Malformed, Unsupported) as error:
        return "crashed" if "crashed" in error.verdict else type(error).__name__
    except BaseException as error:
        error.add_note(f"interp.load({data!r})")
        raise
    return "loaded"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some damage sends jaxlib into an endless loop; small programs need no twenty seconds."""
    monkeypatch.setattr("interp.loading.warm.TIMEOUT", 5.0)


@pytest.mark.slow("reads many damaged programs", rows=1)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_bytecode(seed: int, record_property: Callable[[str, object], None]) -> None:
    draw = random.Random(seed)
    kinds = [flipped_bit, another_byte, truncated, cut, doubled]
    outcomes = Counter(outcome(mutated(draw.choice(ARTIFACTS), kinds, draw)) for _ in range(50))
    record_property("outcomes", dict(outcomes))
    assert outcomes["Malformed"] > 0


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_text(seed: int, record_property: Callable[[str, object], None]) -> None:
    draw = random.Random(seed)
    kinds = [another_digit, another_digit, another_byte, truncated, cut, doubled]
    outcomes = Counter(outcome(mutated(draw.choice(TEXTS), kinds, draw)) for _ in range(50))
    record_property("outcomes", dict(outcomes))
    assert outcomes["Malformed"] > 0


def test_some_damage_still_loads() -> None:
    """Otherwise the tests above would only ever see the parser's first check."""
    draw = random.Random(0)
    assert {outcome(another_digit(draw.choice(TEXTS), draw)) for _ in range(100)} >= {"loaded", "Malformed"}


# The child process -----------------------------------------------------------------------------------


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


def test_a_crash_is_an_error_and_the_next_request_gets_a_new_child(worker: Worker) -> None:
    read(worker)
    assert worker.child
    first = worker.child.process.pid
    with pytest.raises(Malformed, match=r"a\.mlir: reader crashed \(signal 6\)"):
        read(worker, Abort())
    assert list(read(worker).functions) == ["main"]
    assert worker.child.process.pid != first


def test_a_child_that_died_between_requests_is_replaced(worker: Worker) -> None:
    read(worker)
    assert worker.child
    worker.child.process.kill()
    worker.child.process.wait()
    assert list(read(worker).functions) == ["main"]


def test_a_hang_is_an_error_and_the_next_request_gets_a_new_child(worker: Worker) -> None:
    with pytest.raises(Malformed, match=r"a\.mlir: reader hung"):
        read(worker, Sleep(), timeout=0.2)
    assert list(read(worker).functions) == ["main"]


def test_a_slow_start_is_no_hang(worker: Worker) -> None:
    """The time given is for the program: no child starts in so little."""
    assert list(read(worker, timeout=0.5).functions) == ["main"]


def test_what_an_earlier_request_did_to_the_child_is_no_fault_of_the_next(worker: Worker) -> None:
    """The first reply comes as ever; then the child dies over whatever it is asked."""
    read(worker, Executed(LATER))
    assert worker.child
    first = worker.child.process.pid
    assert list(read(worker).functions) == ["main"]
    assert worker.child.process.pid != first


def test_a_child_without_memory_ends(worker: Worker) -> None:
    read(worker)
    with pytest.raises(Malformed, match=r"a\.mlir: reader crashed \(exit status 1\)") as caught:
        read(worker, Executed(NO_MEMORY))
    assert "MemoryError" in caught.value.evidence
    assert list(read(worker).functions) == ["main"]


def test_memory_is_limited(worker: Worker) -> None:
    """A damaged count can make jaxlib fill gigabytes."""
    read(worker)
    assert worker.child
    limits = Path(f"/proc/{worker.child.process.pid}/limits")
    if not limits.exists():
        pytest.skip("needs /proc")
    (line,) = [line for line in limits.read_text().splitlines() if line.startswith("Max address space")]
    assert int(line.split()[3]) == MEMORY + 64 * len(PROGRAM)


def test_a_child_that_cannot_start_is_no_fault_of_the_program(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "jaxlib.py").write_text("raise ImportError('this jaxlib is broken')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Bug, match="cannot start") as caught:
        read(worker)
    assert "this jaxlib is broken" in caught.value.evidence


def test_an_interrupt_leaves_no_reply_behind(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that arrives late would answer the next request."""
    read(worker)
    with monkeypatch.context() as patch:
        patch.setattr("interp.loading.warm.receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            read(worker)
    other = worker.request(PROGRAM.replace("main", "other"), "b.mlir")
    assert list(other.functions) == ["other"]


def interrupted(*_: object) -> bytes:
    raise KeyboardInterrupt


def test_threads_share_the_child() -> None:
    names = [f"f{i}" for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        modules = pool.map(lambda name: load(PROGRAM.replace("main", name)), names)
    assert [list(module.functions) for module in modules] == [[name] for name in names]


FORKING = """
import os
from interp.loading.load import load
program = "func.func @%s() { return }"
load(program % "before")
pid = os.fork()
if pid == 0:
    for _ in range(20):
        assert list(load(program % "child").functions) == ["child"]
    os._exit(0)
for _ in range(20):
    assert list(load(program % "parent").functions) == ["parent"]
assert os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_gets_a_child_of_its_own() -> None:
    subprocess.run([sys.executable, "-c", FORKING], cwd=ROOT, check=True, timeout=60)


KILLED = """
import os, sys
from interp.loading.load import load
from interp.loading.warm import WORKER
load("func.func @main() { return }")
print(WORKER.child.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_the_child_ends_with_its_parent() -> None:
    result = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, capture_output=True, timeout=60)
    child = Path("/proc", result.stdout.decode().strip(), "stat")
    for _ in range(100):
        if not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the child still runs ten seconds after its parent was killed")


# Names that are not UTF-8 ------------------------------------------------------------------------------


@cache
def exported() -> list[bytes]:
    """Blobs of `jax.export`: operations with attributes of other dialects, whose names are their own."""
    import jax
    import jax.numpy as jnp
    from jax.experimental.xla_metadata import set_xla_metadata

    def noted(x: jax.Array) -> jax.Array:
        with set_xla_metadata(note="value"):
            return jnp.sin(x) + x

    def called(x: jax.Array) -> tuple[jax.Array, ...]:
        return jax.lax.top_k(jax.random.uniform(jax.random.key(0), (4,)) + x, 2)  # type: ignore[return-value]

    argument = jax.ShapeDtypeStruct((4,), "float32")
    return [jax.export.export(jax.jit(f))(argument).mlir_module_serialized for f in (noted, called)]


@pytest.mark.parametrize("place", [0, 3, 12])
def test_an_attribute_whose_name_is_not_utf_8_is_malformed(place: int) -> None:
    data, name = exported()[0], b"mhlo.frontend_attributes"
    at = data.index(name) + place
    with pytest.raises(Malformed, match="a name or a text in it is not UTF-8\n  the file is damaged"):
        load(data[:at] + bytes([data[at] ^ 0x80]) + data[at + 1 :])


def letter_beyond_ascii(data: bytes, draw: Draw) -> bytes:
    """Most letters stand in names."""
    place = draw.choice([i for i, byte in enumerate(data) if chr(byte).isalpha() and byte < 128] or [0])
    return data[:place] + bytes([data[place] ^ 0x80]) + data[place + 1 :]


def spliced(data: bytes, draw: Draw) -> bytes:
    other, start = draw.choice([*ARTIFACTS, *exported()]), draw.randrange(len(data))
    first = draw.randrange(len(other))
    return data[:start] + other[first : first + draw.randrange(1, 128)] + data[start:]


@pytest.mark.slow("reads many damaged programs")
@pytest.mark.parametrize("seed", range(2))
def test_damaged_exports(seed: int) -> None:
    """Thousands of seeds were run once; a few are kept."""
    draw = random.Random(seed)
    kinds = [letter_beyond_ascii, letter_beyond_ascii, spliced, flipped_bit, truncated]
    outcomes = Counter(outcome(mutated(draw.choice(exported()), kinds, draw)) for _ in range(50))
    assert outcomes["Malformed"] > 0
