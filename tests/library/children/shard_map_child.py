"""Programs that JAX exports from `shard_map`, run on four devices.

Its process, `python -m tests.library.children.shard_map_child FILE`,
writes for each program its module, its arguments and JAX's results.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"  # XLA then compiles in half the time
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

SQUARE = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
TURNED = Mesh(np.array(jax.devices())[[0, 2, 1, 3]].reshape(2, 2), ("a", "b"))
ROW = Mesh(np.array(jax.devices()), ("d",))
X = np.arange(64, dtype=np.float32).reshape(8, 8)


def sharded(f: Callable[..., Any], ins: Any, outs: Any, mesh: Mesh = SQUARE, **options: Any) -> Any:
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False, **options))


def everything(x: Any) -> tuple[Any, ...]:
    return (
        lax.psum(x, "a"),
        lax.all_gather(x, "b", tiled=True),
        lax.ppermute(x, "b", [(0, 1)]),
        lax.all_to_all(x, "b", 0, 1, tiled=True),
        lax.psum_scatter(x, "b", tiled=True) + lax.axis_index("a"),
        lax.pmax(x, ("a", "b")),
    )


EVERYWHERE = (P(None, "b"), P(("a", "b"), None), P("a", "b"), P("a", "b"), P("a", "b"), P(None, None))


def ring(x: Any) -> Any:
    """A sum that goes around, in a loop."""

    def step(_: int, state: Any) -> Any:
        total, moving = state
        moving = lax.ppermute(moving, "d", [(k, (k + 1) % 4) for k in range(4)])
        return total + moving, moving

    return lax.fori_loop(0, 3, step, (x, x))[0]


def nested(x: Any) -> Any:
    inner = lambda y: lax.psum(y, "b") + lax.axis_index("b")
    return jax.shard_map(
        inner, in_specs=P(None, "b"), out_specs=P(None, "b"), axis_names={"b"}, check_vma=False
    )(lax.psum(x, "a"))


def constrained(x: Any) -> Any:
    return lax.with_sharding_constraint(x * 2, NamedSharding(SQUARE, P("a")))


PROGRAMS: dict[str, tuple[Any, np.ndarray]] = {
    "everything": (sharded(everything, P("a", "b"), EVERYWHERE), X),
    "turned mesh": (sharded(everything, P("a", "b"), EVERYWHERE, TURNED), X),
    "ring": (sharded(ring, P("d"), P("d"), ROW), X),
    "one axis": (sharded(lambda x: lax.psum(x, "a") * 2, P("a"), P(), axis_names={"a"}), X),
    "nested": (sharded(nested, P("a"), P("a"), axis_names={"a"}), X),
    "integers": (
        sharded(lambda x: lax.pmin(x, "d") + lax.psum(x, "d"), P("d"), P(), ROW),
        np.arange(8, dtype=np.int8) * 30,
    ),
    "mean of bf16": (sharded(lambda x: lax.pmean(x, "d"), P("d"), P(), ROW), X.astype(jnp.bfloat16)),
    "constraint": (jax.jit(constrained), X),
}


def main() -> dict[str, tuple[bytes, np.ndarray, list[np.ndarray]]]:
    found = {}
    for name, (function, x) in PROGRAMS.items():
        exported = jax.export.export(function)(jax.ShapeDtypeStruct(x.shape, x.dtype))
        results = [np.asarray(y) for y in jax.tree.leaves(function(x))]
        found[name] = (bytes(exported.mlir_module_serialized), x, results)
    return found


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(pickle.dumps(main()))
