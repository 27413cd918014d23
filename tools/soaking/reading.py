"""Damaged inputs: read, verified, run, and given to the command line; only our own errors may come out."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import interp
import interp.loading.warm
from interp.__main__ import main
from interp.engine.inputs import random_arguments
from interp.engine.limits import VARIABLE
from interp.execute.agreement import AGREEMENT
from soaking.damage import Damaged
from soaking.equality import unequal
from soaking.outcome import Counts, Finding, claiming
from spec.errors import Bug, InterpError, Malformed, Unsupported, Violation
from spec.ir import Module, Op
from spec.meaning.evaluate import MEANINGS, evaluate
from spec.rules.verify import RETURNS
from spec.types import QuantizedType, is_tensor
from tests.test_engine import oracle_tensor, stored

MEMORY = 1 << 28  # bytes an array may have
PATIENCE = 30.0  # seconds for the reader, on a machine that may have other work
LARGEST = 1 << 18  # elements, with all positions of all windows, of what is run
SMALL = 1 << 10  # of what the oracle runs, too
LONGEST = 20.0  # seconds of CPU for a run
NOT_COMPARED = {"stablehlo.while", "stablehlo.rng", "stablehlo.custom_call"}
INEXACT = {  # names and types of operations whose last bits are the machine's
    (name, type)
    for row in AGREEMENT
    if (row.left, row.right) == ("run", "oracle")
    for names, _, type in [row.what.partition(" on ")]
    for name in names.split(", ")
}
EXAMPLE = np.arange(1000)
SMALLEST = "func.func @main() { return }"


def impatient() -> None:
    """Wait for the reader no longer than small programs take, and refuse large arrays."""
    interp.loading.warm.TIMEOUT = PATIENCE
    os.environ[VARIABLE] = str(MEMORY)


def read(item: Damaged, rng: Random, counts: Counts) -> None:
    """Raise `Finding` for whatever comes out but a result or an error that is no `Bug`."""
    impatient()
    counts[f"{item.kind}: damaged"] += 1
    try:
        outcome = _outcome(item, counts)
    except Bug as bug:
        raise Finding("damaged: Bug", str(bug)) from None
    except InterpError as error:
        outcome = type(error).__name__.lower()
        for word in ("crashed", "hung"):
            counts[f"{item.kind}: reader {word}, contained"] += f"reader {word}" in error.verdict
    counts[f"{item.kind}: {outcome}"] += 1


def _outcome(item: Damaged, counts: Counts) -> str:
    with claiming("damaged: foreign exception", InterpError):
        try:
            module = interp.load(item.data)
        except Malformed:
            unchecked(item, counts)
            raise
        if module.is_dynamic:
            module = interp.refine(module, *_arguments(module))
        repr(module)
        if violations := _violations(module):
            counts[f"{item.kind}: read, with violations"] += 1
            repr(violations)
        interp.lint(module)
        return _ran(module, counts)


def _violations(module: Module) -> list[Violation]:
    return [*interp.verify(module, "strict"), *interp.verify(module, "mlir")]


def _arguments(module: Module) -> list[np.ndarray]:
    """Return random arguments, in which every unknown size is 2."""
    inputs = [
        replace(value, type=replace(value.type, shape=tuple(2 if n is None else n for n in value.type.shape)))
        for value in module.main.inputs
    ]
    body = replace(module.main.body, arguments=tuple(inputs))
    return random_arguments(replace(module.main, body=body), 0)


def _ran(module: Module, counts: Counts) -> str:
    """Run a program, and hold its results against those of the oracle if it is small."""
    if (size := _size(module)) > LARGEST:
        return "loaded, too large to run"
    args = _arguments(module)
    try:
        with within(LONGEST):
            results = interp.run(module, *args)
    except TooLong:
        if not _has_loops(module):
            raise Finding("damaged: slow", f"no end after {LONGEST:.0f} seconds\n{module!r}"[:2000]) from None
        return "loops for long"
    if size <= SMALL and _has_meaning(module):
        _agrees(module, args, results, counts)
    return "ran"


def _has_loops(module: Module) -> bool:
    """Return whether a run may take any time, or never end."""
    return any(op.name == "stablehlo.while" for op in module.ops())


def _has_meaning(module: Module) -> bool:
    """Return whether the oracle runs a program: it has a meaning for each operation, and no loops."""
    ops = list(module.ops())
    types = [value.type for value in (*module.main.inputs, *module.main.body.returns)]
    known = all(op.name in MEANINGS and op.name not in NOT_COMPARED for op in ops if op.name not in RETURNS)
    return known and all(is_tensor(type) for type in types) and not any(map(_may_differ, ops))


def _may_differ(op: Op) -> bool:
    """Return whether engine and oracle are known to differ in an operation's last bits."""
    types = [value.type.element_type for value in (*op.operands, *op.results) if is_tensor(value.type)]
    names = {repr(t.expressed_type if isinstance(t, QuantizedType) else t) for t in types}
    return any((op.name.partition(".")[2], name) in INEXACT for name in names)


def _agrees(module: Module, args: list[np.ndarray], results: Any, counts: Counts) -> None:
    given = [oracle_tensor(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
    try:
        theirs = [stored(out) for out in evaluate(module, given)]
    except InterpError as error:
        raise Finding("damaged: oracle", f"{error}\n{module!r}"[:2000]) from None
    unequal("damaged: wrong", "engine", [out.storage for out in results], "oracle", theirs)
    counts["damaged, and the oracle agrees"] += 1


class TooLong(BaseException):
    """The time is over; no `except Exception` catches it."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the main thread when this process has used so much CPU time."""

    def over(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def unchecked(item: Damaged, counts: Counts) -> None:
    """Read what jaxlib refuses without its checks, so that our own rows judge it; run what they accept."""
    with contextlib.suppress(Malformed, Unsupported):
        module = interp.load(item.data, checked=False)
        counts[f"{item.kind}: read unchecked"] += 1
        found = _violations(module)
        counts[f"{item.kind}: read unchecked, with violations"] += bool(found)
        repr((module, found))
        if not found and not module.is_dynamic:
            counts[f"{item.kind}: read unchecked, {_ran(module, counts)}"] += 1


def _size(module: Module) -> int:
    """Estimate how many steps a run takes."""
    total = 0
    for op in module.ops():
        window = op.attributes.get("window_dimensions", ())
        leaves = prod(window) if isinstance(window, tuple) else 1
        total += (
            sum(value.type.size for value in (*op.operands, *op.results) if is_tensor(value.type)) * leaves
        )
    return total


def command(item: Damaged, rng: Random, counts: Counts) -> None:
    """Run a verb that writes files, sometimes where no more than a few bytes may be written."""
    impatient()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        source = Path(f"program{item.suffix}")
        data = item.data.encode("utf-8", "surrogatepass") if isinstance(item.data, str) else item.data
        source.write_bytes(data)
        old = existing()
        verb = rng.choice(list(VERBS))
        limited = rng.random() < 0.5
        printed = io.StringIO()
        try:
            with (
                claiming(f"command {verb}: foreign exception"),
                redirected(printed),
                full_disk(limited),
                within(LONGEST),
            ):
                status: int | str = main([arg.format(source) for arg in VERBS[verb].split()])
        except TooLong:
            if not _has_loops(interp.load(item.data)):
                raise Finding(f"command {verb}", f"no end after {LONGEST:.0f} seconds") from None
            status = "loops for long"
        counts[f"commands: status {status}"] += 1
        if "Traceback" in printed.getvalue() or status not in (0, 1, 2, "loops for long"):
            raise Finding(f"command {verb}", f"status {status}\n{printed.getvalue()[-1500:]}")
        for path, content in old.items():
            whole(verb, path, content, counts)


VERBS = {
    "run": "run {} --random 1 --save out",
    "lower": "lower {} -o lowered.mlir",
    "lower to an artifact": "lower {} -o lowered.mlirbc",
    "trace": "trace {} --random 1 --json trace.json --html trace.html",
    "verify": "verify {} --lint",
    "show": "show {}",
}
ENDS = {".npy": b"", ".mlir": b"}\n", ".mlirbc": b"", ".json": b"}", ".html": b"</html>"}


def existing() -> dict[Path, bytes]:
    """Create files in the place of those that the verbs write."""
    Path("out").mkdir()
    with open("out/out0.npy", "wb") as file:
        np.save(file, EXAMPLE)
    for name in ("lowered.mlir", "lowered.mlirbc", "trace.json", "trace.html"):
        Path(name).write_text(f"what was in {name}\n" * 400)
    return {
        path: path.read_bytes()
        for path in (Path("out/out0.npy"), *sorted(Path().glob("*e*.*")))
        if path.suffix
    }


def whole(verb: str, path: Path, old: bytes, counts: Counts) -> None:
    """Raise `Finding` where a file is neither what it was nor a whole new one."""
    if path.stem == "program":
        return
    new = path.read_bytes() if path.exists() else None
    if new == old:
        counts["files left as they were"] += 1
        return
    if new is None or not is_complete(path, new):
        raise Finding(
            f"lost file: {verb}", f"{path}: {len(old)} bytes before, {new and len(new)} now, not whole"
        )
    counts["files replaced by whole ones"] += 1


def is_complete(path: Path, data: bytes) -> bool:
    """Return whether a file has its end."""
    try:
        if path.suffix == ".npy":
            np.load(io.BytesIO(data))
        elif path.suffix in (".mlir", ".mlirbc"):
            interp.load(data)
        elif path.suffix == ".json":
            import json

            json.loads(data)
        else:
            return data.rstrip().endswith(b"</html>")
    except Exception:
        return False
    return True


@contextlib.contextmanager
def redirected(printed: Any) -> Iterator[None]:
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield


@contextlib.contextmanager
def full_disk(limited: bool) -> Iterator[None]:
    """Let no file grow beyond a few bytes: a write fails as on a full disk."""
    if not limited:
        yield
        return
    interp.load(SMALLEST)  # the reader starts without the limit
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
