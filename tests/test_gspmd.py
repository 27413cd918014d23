"""shard_map as JAX wrote it before sdy: GSPMD's custom calls, run as a manual computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.loading.exporters import axes_of, mesh_of, tiling

SHARDED = """func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) -> (tensor<4x3xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2,2]<=[4]}"}
    : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
    : (tensor<4x8xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.custom_call @Sharding(%b)
    {mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}
    : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"}
    : (tensor<8x3xf32>) -> tensor<4x3xf32>
  %4:2 = call @body(%1, %3) : (tensor<2x4xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<4x4xf32>)
  %5 = stablehlo.custom_call @Sharding(%4#0) {mhlo.sharding = "{manual}"}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = stablehlo.custom_call @SPMDShardToFullShape(%5)
    {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %7 = stablehlo.custom_call @Sharding(%4#1) {mhlo.sharding = "{manual}"}
    : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = stablehlo.custom_call @SPMDShardToFullShape(%7)
    {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}
    : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return %6, %8 : tensor<4x3xf32>, tensor<4x8xf32>
}
func.func private @body(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %z = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %z : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
      replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}>
    : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<4x4xf32>
}"""
A = np.arange(32, dtype=np.float32).reshape(4, 8)
B = np.arange(24, dtype=np.float32).reshape(8, 3)


def test_a_computation_on_shards_runs_on_the_devices_of_its_mesh() -> None:
    """It is a product of matrices, both split along what is contracted, and its first factor gathered."""
    module = interp.load(SHARDED)
    assert interp.verify(module) == interp.verify(module, mode="mlir") == []
    product, gathered = interp.run(module, A, B)
    assert product.tolist() == (A @ B).tolist()
    assert gathered.tolist() == A.tolist()
    assert interp.load(repr(module)) == module


@pytest.mark.parametrize(
    ("old", "new", "target"),
    [
        ("{devices=[2,2]<=[4]}", "{maximal device=0}", "SPMDFullToShardShape"),
        ("{devices=[2,2]<=[4]}", "{devices=[2,2]0,2,1,3}", "SPMDFullToShardShape"),
        ("{devices=[2,2]<=[4]}", "{devices=[3,2]<=[6]}", "SPMDFullToShardShape"),
        ("@SPMDShardToFullShape", "@Elsewhere", "SPMDFullToShardShape"),
    ],
    ids=["maximal", "listed", "another mesh", "never left"],
)
def test_another_pattern_is_refused_by_name(old: str, new: str, target: str) -> None:
    with pytest.raises(interp.Unsupported, match=rf"(?s)custom_call @{target} is not known.*at <text>:4:8"):
        interp.run(SHARDED.replace(old, new), A, B)


def test_shapes_that_do_not_fit_the_mesh_are_a_violation() -> None:
    replicated = SHARDED.replace("{devices=[2,2]<=[4]}", "{replicated}")
    with pytest.raises(interp.Violation, match="manual_computation"):
        interp.run(replicated, A, B)


@st.composite
def shardings(draw: st.DrawFn) -> list[str]:
    """Shardings of tensors of rank 2 on one mesh of named axes, as JAX prints them."""
    mesh = draw(st.lists(st.sampled_from([2, 3, 4]), min_size=1, max_size=3))
    found = []
    for _ in range(draw(st.integers(1, 3))):
        axes = draw(st.permutations(range(len(mesh))))
        cuts = sorted(draw(st.tuples(*[st.integers(0, len(mesh))] * 2)))
        parts = axes[: cuts[0]], axes[cuts[0] : cuts[1]], sorted(axes[cuts[1] :])
        order = [k for part in parts for k in part]
        tiles = [int(np.prod([mesh[k] for k in part])) for part in parts]
        sizes, turn = (",".join(map(str, x)) for x in (mesh, order))
        listed = ",".join(map(str, tiles))
        found.append(f"{{devices=[{listed}]<=[{sizes}]T({turn}) last_tile_dim_replicate}}")
    return found


@given(shardings())
def test_axes_give_each_device_the_tile_that_the_sharding_says(texts: list[str]) -> None:
    """A sharding is defined by a reshaped and transposed iota of devices."""
    tilings = [tiling(text) for text in texts]
    known = [each for each in tilings if each]
    assert len(known) == len(texts)
    sizes = mesh_of(known)
    assert sizes is not None
    for each in known:
        devices = np.arange(np.prod(each.sizes)).reshape(each.sizes).transpose(each.order).reshape(each.tiles)
        axes = axes_of(each, sizes)
        for place, device in np.ndenumerate(devices):
            at = np.unravel_index(device, sizes)
            for d, numbers in enumerate(axes[:-1]):
                shape = [sizes[k] for k in numbers]
                tile = np.ravel_multi_index([at[k] for k in numbers], shape) if numbers else 0
                assert tile == place[d]
