"""One process of a run over several devices.

`python -m tests.library.children.sharded_child PROCESSES INDEX PORT FILE` writes
for each case of `CASES` the stored elements that its own devices hold, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"  # XLA then compiles in half the time
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=" + ("8" if sys.argv[1] == "1" else "2")

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import interp
from tests.test_sharding import CASES, Split, arguments, program

PARTITIONS = {"batch": PartitionSpec("devices", None), "reduced": PartitionSpec(None, "devices")}


def held(x: jax.Array) -> list[tuple[list[int], list[int]]]:
    """Return, for each device of this process, the range of rows that it has and their elements."""
    found = []
    for shard in x.addressable_shards:
        start, stop, _ = shard.index[0].indices(x.shape[0])
        found.append(([start, stop], np.asarray(shard.data).tolist()))
    return found


def sharded(split: Split, x: np.ndarray) -> jax.Array:
    sharding = NamedSharding(Mesh(np.array(jax.devices()), ("devices",)), PARTITIONS[split])
    return jax.make_array_from_callback(x.shape, sharding, lambda index: x[index])


def main(processes: int, index: int, port: str) -> list[list[tuple[list[int], list[int]]]]:
    """Return the elements that this process holds, case by case."""
    if processes > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(f"127.0.0.1:{port}", processes, index)
    x, init = arguments()
    return [
        held(interp.compile(program(accumulator), schedule=tree)(sharded(split, x), init)[0])
        for accumulator, tree, split in CASES[processes]
    ]


if __name__ == "__main__":
    found = main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    Path(sys.argv[4]).write_text(json.dumps(found))
