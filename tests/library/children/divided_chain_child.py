"""A compiled chain on an array that is divided among four devices: how its result is, and its bits.

Its process is `python -m tests.library.children.divided_chain_child`. It prints, for axes that types name
and for axes that XLA alone sees: whether each device has a quarter of the result, and how many bits differ.
"""

from __future__ import annotations

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import numpy as np

import interp


def main() -> None:
    x = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)
    module = interp.load(jax.jit(jax.nn.gelu).lower(x))
    (expected,) = interp.run(module, x)
    kinds = jax.sharding.AxisType
    for kind in (kinds.Explicit, kinds.Auto):
        mesh = jax.make_mesh((4,), ("d",), axis_types=(kind,))
        divided = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d"))
        (y,) = interp.compile(module)(jax.device_put(x, divided))
        quarters = {shard.data.shape for shard in y.addressable_shards} == {(16, 64)}
        differing = (np.asarray(y).view(np.int32) != expected.storage.view(np.int32)).sum()
        print(kind.name, quarters, differing)


if __name__ == "__main__":
    main()
