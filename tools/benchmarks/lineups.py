"""Lineups that several workloads share: the candidates, and the targets against them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import jax.numpy as jnp
import numpy as np

from benchmarks import litert, numpy_peers, onnx_runtime, peers, xla_peers
from benchmarks.peers import REFERENCE, Peer
from benchmarks.programs import Shape

JAXLIB_PARSES = """
import sys
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _stablehlo
with ir.Context() as context:
    _stablehlo.register_dialect(context)
    _stablehlo.deserialize_portable_artifact(context, open(sys.argv[1], "rb").read())
"""

RUNS_FILE = lambda case: [sys.executable, "-m", "interp", "run", str(case.program), "--random", "1"]
JAXLIB_PARSES_FILE = lambda case: [sys.executable, "-c", JAXLIB_PARSES, str(case.program)]


def summing(*axes: int) -> list[Peer]:
    return [
        peers.numpy("NumPy", numpy_peers.total(axes)),
        peers.xla("XLA i8 to i32", xla_peers.total(axes, jnp.int32)),
        peers.xla("XLA i8 to f32", xla_peers.total(axes, jnp.float32)),
        peers.xla("XLA f32", xla_peers.total(axes, jnp.float32), np.float32),
        Peer("ONNX Runtime", partial(onnx_runtime.total, axes)),
        Peer("LiteRT", partial(litert.prepare, "SUM", ("ReducerOptions", {}), axes), "its result is i8"),
        REFERENCE,
    ]


def selecting(window: Shape, strides: Shape, strided: Callable) -> list[Peer]:
    return [
        peers.numpy("NumPy strided", numpy_peers.select_and_scatter(window, strides)),
        peers.xla_program("XLA's own", "i8", np.int8),
        peers.xla_program("XLA's own, f32", "f32", np.float32),
        peers.xla("XLA strided", strided),
        REFERENCE,
    ]


def saturating(axis: int, scan: str) -> list[Peer]:
    return [
        peers.numpy("NumPy loop", numpy_peers.saturating(axis)),
        peers.xla(scan, xla_peers.saturating_scan(axis)),
    ]


def targets(
    eager: Mapping[str, float], compiled: Mapping[str, float], faster: Sequence[float] = (5_000, 10_000)
) -> tuple[dict[str, float], ...]:
    """Return targets for eager and compiled, and the speed-up wanted over the reference interpreter."""
    return tuple(
        {**at_most, "reference": 1 / k} for at_most, k in zip((eager, compiled), faster, strict=True)
    )
