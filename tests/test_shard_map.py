"""What JAX exports from `shard_map` runs here on one machine, and gives what JAX gives on four devices."""

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
from spec.evaluate import evaluate
from spec.index import Tensor

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("everything", "turned mesh", "ring", "one axis", "nested", "integers", "mean of bf16", "constraint")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("jax")
    file = tmp_path_factory.mktemp("shard_map") / "programs.pickle"
    subprocess.run([sys.executable, "-m", "tests.shard_map_child", str(file)], cwd=ROOT, check=True)
    return pickle.loads(file.read_bytes())


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
    """Of devices with the same part the one with the greatest id writes last."""
    module = interp.load(mesh + BODY.replace("SPLIT", split).replace("PART", str(part)))
    (result,) = interp.run(module, np.zeros(8, np.float32))
    assert result.tolist() == wanted
    (spoken,) = evaluate(module, [Tensor(module.main.inputs[0].type, (0.0,) * 8)])
    assert list(spoken.elements) == wanted


def test_a_manual_computation_is_not_compiled() -> None:
    module = interp.load(MESH + BODY.replace("SPLIT", '"x"').replace("PART", "2"))
    with pytest.raises(Unsupported, match=r"sdy.manual_computation under jit\n  .* use interp.run"):
        interp.compile(module)
    with pytest.raises(Unsupported, match=r"sdy.manual_computation under jit"):
        interp.lower(module)


def test_what_the_shardings_do_not_say_is_refused() -> None:
    text = repr(interp.load(MESH + BODY.replace("SPLIT", '"x"').replace("PART", "2")))
    unread = interp.load(text.replace('mesh<["x"=4]>', "mesh"), checked=False)
    with pytest.raises(interp.InterpError):
        interp.run(unread, np.zeros(8, np.float32))
    unreduced = text.replace('[{"x"}]>]', '[{"x"}], unreduced={"x"}>]')
    with pytest.raises((Unsupported, Malformed), match="unreduced"):
        interp.run(interp.load(unreduced, checked=False), np.zeros(8, np.float32))
