"""Networks as PyTorch's exporter and onnxruntime's quantizer write them: load, run, raise and prove."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import interp
from interp.apps.quantization.raise_qdq import Raised
from spec.ir import Module
from tests.test_demo import TOOLS

pytest.importorskip("onnx")
sys.path.insert(0, str(TOOLS))

from benchmarks import networks

FOLDER = TOOLS.parent / "testdata" / "networks"


class Counts(NamedTuple):
    """The sums of a network, counted in its description in `tools/exporting/onnx_networks.py`.

    contractions, pools: those with quantized operands, all of which become integers. floats: contractions of
    floats, of recurrent layers: onnxruntime's quantizer leaves these.
    """

    contractions: int
    pools: int
    floats: int = 0


ATTENTION = 4  # products of one layer: queries, keys and values at once, scores, values, results
COUNTS = {
    "crnn.qdq": Counts(2 + 1, 2, floats=1 + 1),  # of both directions at once: inputs, states
    "detector.qdq": Counts(3 + 2 + 1 + 2, 1),
    "detector.qoperator": Counts(3 + 2 + 1 + 2, 1),
    "encoder.qdq": Counts(2 * (ATTENTION + 2) + 1, 1),
    "gru.qdq": Counts(1 + 1, 0, floats=2 * (1 + 2)),  # of a layer: inputs; gates, the candidate
    "unet.qdq": Counts(1 + 1 + 1 + 1 + 1, 1),  # one of them transposed
}
# Where onnxruntime sums floats in another order: how far a result may be as a share of the largest number,
# and of how many elements. Sums of the LSTM and of LogSoftmax are not rounded to 8 bits after them; of 65,536
# sums of the U-Net's convolutions, some are so near to a tie that they are stored a step apart.
ORDERS = {"crnn.qdq": (1e-6, 1.0), "unet.qdq": (3 / 255, 0.001)}


@cache
def program(name: str) -> tuple[Module, Any, Raised]:
    module = interp.load(FOLDER / f"{name}.onnx")
    return module, networks.arguments(module), interp.raise_qdq(module)


def test_each_kept_network_has_its_counts() -> None:
    assert [path.name for path in networks.files(FOLDER)] == [f"{name}.onnx" for name in COUNTS]


@pytest.mark.parametrize("name", COUNTS)
def test_a_network_has_onnxruntimes_results(name: str) -> None:
    runtime = pytest.importorskip("onnxruntime")
    runtime.set_default_logger_severity(4)
    module, args, _ = program(name)
    path = FOLDER / f"{name}.onnx"
    if name not in ORDERS:
        found = networks.beside_runtime(runtime, path, module, args, interp.run(module, *args))
        assert found.startswith(networks.EQUAL)
        return
    share, count = ORDERS[name]
    for ours, theirs in zip(interp.run(module, *args), networks.session(runtime, path, args)(), strict=True):
        apart = np.abs(np.asarray(ours) - theirs) / np.abs(theirs).max()
        assert apart.max() <= share
        assert np.mean(apart > 0) <= count


@pytest.mark.parametrize("name", COUNTS)
def test_all_quantized_sums_become_integers(name: str) -> None:
    raised, counts = program(name)[2], COUNTS[name]
    quantized, pools = counts.contractions, counts.pools
    assert raised.contractions == (quantized, quantized, quantized + counts.floats)
    assert raised.pools == (pools, pools, pools)
    reasons = [each.unquantized for each in raised.sums if each.form == "float" and each.kind != "island"]
    assert len(reasons) == counts.floats
    assert all("which has no quantized type" in reason for reason in reasons)
    assert all(rewrite.steps is not None and rewrite.steps <= 1 for rewrite in raised.rewrites)


@pytest.mark.parametrize("name", COUNTS)
def test_every_sum_of_integers_is_proved_in_32_bits(name: str) -> None:
    raised = program(name)[2]
    proof = interp.prove(raised.module)
    assert proof.counts == {"proved": len(proof.rows)}
    bits = [row.judgement.bits for row in proof.rows if row.judgement.bits is not None]
    assert len(bits) >= COUNTS[name].contractions
    assert 8 < max(bits) <= 32


@pytest.mark.parametrize("name", COUNTS)
def test_a_raised_network_has_the_results_of_the_simulation(name: str) -> None:
    """Kernels are a step apart at most, near ties: few of them, and most later steps are larger."""
    module, args, raised = program(name)
    for wanted, got in zip(interp.run(module, *args), interp.run(raised.module, *args), strict=True):
        wanted, got = np.asarray(wanted), np.asarray(got)
        assert np.mean(wanted != got) < 0.01
        assert np.abs(wanted - got).max() <= 2 / 255 * np.abs(wanted).max()


def test_islands_stand_in_one_line_each() -> None:
    """Both resizes, the group norm, and what makes zeros of NaN before the first quantization."""
    text = repr(program("unet.qdq")[2])
    lines = text.partition("left in float:\n")[2].partition("\nnot proven:")[0].splitlines()
    assert len(lines) == 4
    kinds = [next(word for word in line.split() if word.endswith(":")) for line in lines[1:]]
    assert kinds == ["interpolation:", "interpolation:", "layer_normalization:"]
    loops = [each for each in program("gru.qdq")[2].left if each.operation == "while"]
    assert len(loops) == 2
    assert all(each.reason.startswith("an island of") for each in loops)


def test_a_model_that_does_not_load_has_its_error_in_the_table(tmp_path: Any) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"no model")
    (tmp_path / "notes.txt").write_text("no model either")
    (path,) = networks.files(tmp_path)
    row = networks.examine(path)
    assert row.error.startswith("Malformed: ")
    assert row.error in networks.table([row])
    assert networks.files(tmp_path, ["other"]) == []


def test_a_table_has_a_cell_for_each_heading() -> None:
    row = networks.Row("net.onnx", operations=3, load=0.5, eager=0.001, result="equal", contractions="3 of 3")
    assert len(row.cells()) == len(networks.HEADINGS)
    assert repr(row) == "net.onnx: operations 3, load 0.50 s, eager 1.0 ms, result equal, contractions 3 of 3"
