"""ETDump files of ExecuTorch as dumps of a device, where ExecuTorch is installed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import interp
from spec.errors import Malformed

NET = """func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = stablehlo.add %p, %b : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %r = stablehlo.maximum %s, %zero : tensor<2x3xf32>
  return %r : tensor<2x3xf32> }"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Return a folder with the ETDump of a layer, of which the arguments are beside it."""
    torch = pytest.importorskip("torch", reason="makes the program of ExecuTorch")
    exir = pytest.importorskip("executorch.exir", reason="runs the program")
    portable = pytest.importorskip("executorch.extension.pybindings.portable_lib", reason="runs the program")

    class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x, w, b):  # type: ignore[no-untyped-def]
            return torch.relu(torch.mm(x, w) + b)

    torch.manual_seed(0)  # small integers, so that every order of the sums gives the same
    args = tuple(torch.randint(-9, 9, size).float() for size in ((2, 4), (4, 3), (2, 3)))
    program = exir.to_edge(torch.export.export(Net().eval(), args)).to_executorch()
    method = portable._load_for_executorch_from_buffer(
        program.buffer, enable_etdump=True, debug_buffer_size=1 << 16
    )
    method.forward(args)
    method.write_etdump_result_to_file(str(tmp_path / "net.etdp"), str(tmp_path / "net.bin"))
    for name, x in zip("xwb", args, strict=True):
        np.save(tmp_path / f"{name}.npy", x.numpy())
    names = {"%p": "net.etdp:0/mm", "%s": "net.etdp:1/add", "%r": "net.etdp:2/relu"}
    names |= {name: f"{name}.npy" for name in "xwb"}
    (tmp_path / "names.json").write_text(json.dumps(names))
    return tmp_path


def test_the_tensors_of_an_etdump_are_judged(dump: Path) -> None:
    found = interp.judge(NET, dump / "names.json")
    assert found.ok
    assert [each.array for each in found.layers] == ["%p", "%s", "%r"]
    np.save(dump / "b.npy", np.load(dump / "b.npy") + 1)
    again = interp.judge(NET, dump / "names.json", explain=False)
    assert again.first is not None
    assert again.first.value == "%s"
    assert interp.judge(NET, dump).unknown == ("0/mm", "1/add", "2/relu")


def test_what_an_etdump_does_not_have_is_told(dump: Path) -> None:
    (dump / "names.json").write_text(json.dumps({"%p": "net.etdp:3/mm"}))
    with pytest.raises(Malformed, match="there are 0/mm, 1/add, 2/relu"):
        interp.judge(NET, dump / "names.json")
    (dump / "net.etdp").write_bytes(b"nothing")
    with pytest.raises(Malformed, match="not an ETDump"):
        interp.judge(NET, dump / "net.etdp")


def test_an_etdump_without_its_buffer_is_told(tmp_path: Path) -> None:
    (tmp_path / "net.etdp").write_bytes(b"nothing")
    with pytest.raises(Malformed, match=r"expected net\.bin beside it"):
        interp.judge(NET, tmp_path / "net.etdp")
