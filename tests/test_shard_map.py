"""Programs that JAX exports from `shard_map` run on one machine, with JAX's results on four devices."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from spec.errors import Malformed, Unsupported
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("everything", "turned mesh", "ring", "one axis", "nested", "integers", "mean of bf16", "constraint")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("jax")
    file = tmp_path_factory.mktemp("shard_map") / "programs.pickle"
    subprocess.run(
        [sys.executable, "-m", "tests.library.children.shard_map_child", str(file)], cwd=ROOT, check=True
    )
    return pickle.loads(file.read_bytes())


@pytest.mark.slow("JAX runs on four devices", rows=3)
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_give_what_jax_gives(exported: dict[str, Any], name: str) -> None:
    data, x, wanted = exported[name]
    module = interp.load(data)
    assert interp.verify(module) == []
    assert interp.load(repr(module)) == module
    found = interp.run(module, x)
    assert [y.storage.tobytes() for y in found] == [y.tobytes() for y in wanted]
    plain = x.astype(np.float64) if x.dtype.kind in "fV" else x
    operand = Tensor(module.main.inputs[0].type, tuple(plain.ravel().tolist()))
    results = evaluate(module, [operand])
    assert [list(y.elements) for y in results] == [
        np.asarray(y, np.float64 if y.dtype.kind in "fV" else y.dtype).ravel().tolist() for y in wanted
    ]


def test_every_program_of_the_child_is_tested(exported: dict[str, Any]) -> None:
    assert set(exported) == set(NAMES)


MESH = 'sdy.mesh @mesh = <["x"=4]>\n'
BODY = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{SPLIT}]>] out_shardings=[<@mesh, [{SPLIT}]>]
      manual_axes={"x"} (%a: tensor<PARTxf32>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<PARTxf32>
    sdy.return %b : tensor<PARTxf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""


@pytest.mark.parametrize(
    ("mesh", "split", "part", "wanted"),
    [
        (MESH, '"x"', 2, [0, 0, 1, 1, 2, 2, 3, 3]),
        (MESH, '"x":(1)2', 4, [1, 1, 1, 1, 3, 3, 3, 3]),
        (MESH, '"x":(2)2', 4, [2, 2, 2, 2, 3, 3, 3, 3]),
        (MESH.replace("4]", "4], device_ids=[3, 1, 2, 0]"), '"x"', 2, [3, 3, 1, 1, 2, 2, 0, 0]),
    ],
    ids=["axis", "major part", "minor part", "device ids"],
)
def test_parts_lie_where_the_sharding_says(mesh: str, split: str, part: int, wanted: list[int]) -> None:
    """The device with the greatest id among those with the same part writes last."""
    module = interp.load(mesh + BODY.replace("SPLIT", split).replace("PART", str(part)))
    (result,) = interp.run(module, np.zeros(8, np.float32))
    assert result.tolist() == wanted
    (spoken,) = evaluate(module, [Tensor(module.main.inputs[0].type, (0.0,) * 8)])
    assert list(spoken.elements) == wanted


def test_a_manual_computation_needs_its_devices_to_be_compiled() -> None:
    module = interp.load(
        MESH.replace("4", "64") + BODY.replace("SPLIT", '"x"').replace("PART", "2").replace("8x", "128x")
    )
    with pytest.raises(Unsupported, match="64 devices are needed under jit, and JAX has") as error:
        interp.compile(module)
    assert "XLA_FLAGS=--xla_force_host_platform_device_count=64" in error.value.evidence
    assert "sdy.manual_computation" in error.value.verdict
    with pytest.raises(Unsupported, match=r"sdy.manual_computation under jit\n  .* use interp.run"):
        interp.lower(module)


# Compiled: the same programs, and collectives that JAX does not write so.

GROUPED = """sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<16xTYPE>) -> tensor<RESULTxTYPE> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%a: tensor<4xTYPE>) {
    %b = COLLECTIVE
    sdy.return %b : tensor<OWNxTYPE>
  } : (tensor<16xTYPE>) -> tensor<RESULTxTYPE>
  return %0 : tensor<RESULTxTYPE>
}"""
ADDED = """({ ^bb0(%c: tensor<TYPE>, %d: tensor<TYPE>):
      %e = stablehlo.add %c, %d : tensor<TYPE>
      stablehlo.return %e : tensor<TYPE> })"""
PAIRS = "replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
ALL = f"replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>, {CHANNEL}, use_global_device_ids"
QUANTIZED = "!quant.uniform<i8:f32, 0.3:3>"


def grouped(collective: str, type: str, own: int) -> str:
    text = GROUPED.replace("COLLECTIVE", collective).replace("ADDED", ADDED)
    return text.replace("RESULT", str(4 * own)).replace("OWN", str(own)).replace("TYPE", type)


REDUCED = f'"stablehlo.all_reduce"(%a) ADDED {{{ALL}}} : (tensor<4xTYPE>) -> tensor<4xTYPE>'
SCATTERED = f""""stablehlo.reduce_scatter"(%a) ADDED {{scatter_dimension = 0 : i64, {PAIRS}, {CHANNEL},
      use_global_device_ids}} : (tensor<4xTYPE>) -> tensor<2xTYPE>"""
GATHERED = f""""stablehlo.all_gather"(%a) {{all_gather_dim = 0 : i64, {PAIRS}, {CHANNEL},
      use_global_device_ids}} : (tensor<4xTYPE>) -> tensor<8xTYPE>"""
TO_ALL = f""""stablehlo.all_to_all"(%a) {{split_dimension = 0 : i64, concat_dimension = 0 : i64,
      split_count = 2 : i64, {PAIRS}, {CHANNEL}}} : (tensor<4xTYPE>) -> tensor<4xTYPE>"""
PERMUTED = f""""stablehlo.collective_permute"(%a) {{source_target_pairs = dense<[[0, 2], [3, 0], [1, 1]]>
      : tensor<3x2xi64>, {CHANNEL}}} : (tensor<4xTYPE>) -> tensor<4xTYPE>"""
BROADCAST = f""""stablehlo.collective_broadcast"(%a) {{replica_groups = dense<[[2, 0, 3]]> : tensor<1x3xi64>,
      {CHANNEL}}} : (tensor<4xTYPE>) -> tensor<4xTYPE>"""
WRITTEN = {
    "sum of f32": grouped(REDUCED, "f32", 4),
    "saturating sum": grouped(REDUCED, QUANTIZED, 4),
    "scattered sum": grouped(SCATTERED, QUANTIZED, 2),
    "gathered i4": grouped(GATHERED, "i4", 8),
    "gathered booleans": grouped(GATHERED, "i1", 8),
    "all to all": grouped(TO_ALL, "ui8", 4),
    "permuted": grouped(PERMUTED, QUANTIZED, 4),
    "broadcast": grouped(BROADCAST, "f64", 4),
}


def written(name: str) -> tuple[str, str, np.ndarray]:
    """A program, its schedule and numbers whose order of addition matters."""
    rng = np.random.default_rng(len(name))
    (type,) = [v.type for v in interp.load(WRITTEN[name]).main.inputs]
    dtype = np.dtype(type.storage_type.numpy)
    if dtype.kind == "f":
        numbers = rng.standard_normal(16) * 10.0 ** rng.integers(-3, 3, 16)
        return WRITTEN[name], "left", numbers.astype(dtype)
    storage = type.storage_type
    low, high = (0, 1) if dtype.kind == "b" else (storage.min_value, storage.max_value)
    return WRITTEN[name], "left", rng.integers(low, high, 16, endpoint=True).astype(dtype)


COMPILED = (*NAMES, *WRITTEN, "sum of f32, balanced", "parts", "minor parts", "device ids")


@pytest.fixture(scope="module")
def compiled(exported: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run and compile everything in a child whose JAX has four devices."""
    programs: dict[str, Any] = {name: (data, "left", x) for name, (data, x, _) in exported.items()}
    programs |= {name: written(name) for name in WRITTEN}
    text, _, x = written("sum of f32")
    programs["sum of f32, balanced"] = (text, "balanced", x)
    for name, mesh, split, part in (
        ("parts", MESH, '"x":(1)2', 4),
        ("minor parts", MESH, '"x":(2)2', 4),
        ("device ids", MESH.replace("4]", "4], device_ids=[3, 1, 2, 0]"), '"x"', 2),
    ):
        text = mesh + BODY.replace("SPLIT", split).replace("PART", str(part))
        programs[name] = (text, "left", np.arange(8, dtype=np.float32))
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "programs").write_bytes(pickle.dumps(programs))
    command = [
        sys.executable,
        "-m",
        "tests.library.children.compiled_mesh_child",
        folder / "programs",
        folder / "results",
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    return pickle.loads((folder / "results").read_bytes())


@pytest.mark.slow("XLA compiles 20 programs for four devices")
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_gives_what_run_gives(compiled: dict[str, Any], name: str) -> None:
    ours, theirs = compiled[name]
    assert ours == theirs


@pytest.mark.slow("XLA compiles 20 programs for four devices")
def test_the_order_of_a_sum_is_that_of_the_schedule(compiled: dict[str, Any]) -> None:
    assert compiled["sum of f32"] != compiled["sum of f32, balanced"]


def test_what_the_shardings_do_not_say_is_refused() -> None:
    text = repr(interp.load(MESH + BODY.replace("SPLIT", '"x"').replace("PART", "2")))
    unread = interp.load(text.replace('mesh<["x"=4]>', "mesh"), checked=False)
    with pytest.raises(interp.InterpError):
        interp.run(unread, np.zeros(8, np.float32))
    unreduced = text.replace('[{"x"}]>]', '[{"x"}], unreduced={"x"}>]')
    with pytest.raises((Unsupported, Malformed), match="unreduced"):
        interp.run(interp.load(unreduced, checked=False), np.zeros(8, np.float32))
