"""Candidates: how each is prepared for a case. Ours, then ways to wrap functions of NumPy, JAX and Python."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

import interp
from benchmarks import reference
from benchmarks.cases import Case
from benchmarks.measure import Call, local
from interp.engine.memo import once
from interp.execute.xla import callable_on_xla
from interp.rewrite.float_reference import entry_module, float_reference


class Peer(NamedTuple):
    """A candidate. `differs` says why its result is not ours; otherwise it must equal ours."""

    name: str
    prepare: Callable[[Case], Call]
    differs: str = ""


def eager(case: Case) -> Call:
    module = interp.load(case.program)
    return local(lambda: interp.run(module, *case.args)[0].storage)


def compiled(case: Case) -> Call:
    return on_device(interp.compile(interp.load(case.program)), case.args)


def traced(case: Case) -> Call:
    module = interp.load(case.program)
    return local(lambda: interp.trace(module, *case.args).results[0].storage)


def surveyed(case: Case) -> Call:
    module = interp.load(case.program)
    return local(lambda: np.array(interp.survey(module, interp.batched(module, *case.args)).samples))


def in_batches(case: Case) -> Call:
    """Return the runs of all batches."""
    module = interp.load(case.program)
    run = lambda batch: interp.run(module, *batch.args)[0].storage
    return local(lambda: np.concatenate([run(batch) for batch in interp.batched(module, *case.args)]))


def by_library(case: Case) -> Call:
    module = interp.load(case.program)
    return local(lambda: interp.run(module, *case.args, contractions="library")[0].storage)


def compiled_by_library(case: Case) -> Call:
    return on_device(interp.compile(interp.load(case.program), contractions="library"), case.args)


TRACED = Peer("eager", traced)
ANY_ORDER = "a library adds in another order"
BY_LIBRARY = Peer("eager", by_library), Peer("compiled", compiled_by_library, ANY_ORDER)
OURS = Peer("eager", eager), Peer("compiled", compiled)
REFERENCE = Peer("reference", reference.REFERENCE.prepare)


def numpy(name: str, function: Callable[..., Any]) -> Peer:
    return Peer(name, lambda case: local(lambda: function(*case.args)))


def python(name: str, function: Callable[..., Any]) -> Peer:
    def prepare(case: Case) -> Call:
        args = [x.tolist() for x in case.args]
        return local(lambda: function(*args))

    return Peer(name, prepare)


def xla(name: str, function: Callable[..., Any], dtype: type | None = None) -> Peer:
    """Wrap a JAX function. `dtype`: of the arguments; by default they are stored integers."""
    jitted = jax.jit(function)
    return Peer(name, lambda case: on_device(jitted, [np.asarray(x, dtype) for x in case.args]))


def xla_program(name: str, element: str, dtype: type) -> Peer:
    """Return the same program on a plain element type, compiled by XLA."""

    def prepare(case: Case) -> Call:
        assert case.plain is not None
        function = callable_on_xla(interp.load(case.plain(element)))
        return on_device(function, [np.asarray(x, dtype) for x in case.args])

    return Peer(name, prepare)


def reference_on_xla(case: Case) -> Call:
    """Return what `interp.compare` compares with: the program in floats, compiled by XLA."""
    module = interp.load(case.program)
    return on_device(callable_on_xla(float_reference(entry_module(module, module.main))), case.args)


def process(name: str, command: Callable[[Case], Sequence[str]]) -> Peer:
    """Return a process from its start to its end."""

    def prepare(case: Case) -> Call:
        words = command(case)
        return local(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL).returncode)

    return Peer(name, prepare)


def on_device(function: Callable[..., Any], args: Sequence[Any]) -> Call:
    arrays = [_placed(x) for x in args]

    def call() -> Any:
        results = jax.block_until_ready(function(*arrays))
        return results[0] if isinstance(results, tuple | list) else results

    return local(call)


@once
def _placed(x: Any) -> jax.Array:
    """Put the arguments on the device once for all candidates: a quick one's time depends on their place."""
    return jax.device_put(x, may_alias=False)
