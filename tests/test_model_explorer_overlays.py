"""Overlays for Model Explorer: the numbers of a trace and of a survey, at nodes that the graphs have."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.apps import model_explorer
from interp.apps.model_explorer.overlays import ERRORS, FINE, NOTABLE, ROOM, WORST, result, shade
from interp.engine.inputs import read_arguments
from spec.errors import Malformed, Unsupported
from tests.library.builders import function
from tests.library.strategies.chain_programs import chain
from tests.library.strategies.programs import Program, reduce_windows, reduces, select_and_scatters
from tests.test_survey import BATCHES, simulated

ROOT = Path(__file__).resolve().parent.parent
TESTDATA = ROOT / "testdata"
POOL = TESTDATA / "programs/overflowing_pool.mlir"
DIGITS = TESTDATA / "exports/qwix_digits_int8.export"
RUNS = [
    POOL,
    DIGITS,
    TESTDATA / "programs/max_pool_gradient.current.mlirbc",
    TESTDATA / "exports/jax_gru.export",
    TESTDATA / "exports/jax_collatz.export",
    TESTDATA / "exports/torch_cnn_static_int8.mlirbc",
]


def traced(path: Path) -> tuple[interp.Module, interp.Trace]:
    module = interp.load(path)
    stem = path.with_suffix("").with_suffix("")
    return module, interp.trace(module, *read_arguments([f"{stem}.npz"], module.main))


def values(data: Any, graph: str = "main") -> dict[str, Any]:
    """Return the numbers of an overlay by node."""
    return {node: result["value"] for node, result in data[graph]["results"].items()}


def check_nodes(program: interp.Program, found: dict[str, Any]) -> None:
    """Every number is at a node of a graph, and JSON has it."""
    known = {graph["id"]: {node["id"] for node in graph["nodes"]} for graph in model_explorer.graphs(program)}
    for name, data in found.items():
        for graph, of_graph in data.items():
            assert of_graph["name"] == name
            assert of_graph["results"]
            assert of_graph["results"].keys() <= known[graph]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name)
def test_every_number_is_at_a_node_of_the_graph(path: Path) -> None:
    module, trace = traced(path)
    found = model_explorer.overlays(module, trace)
    check_nodes(path, found)
    events = {name: sum(values(found["events"], name).values()) for name in found.get("events", {})}
    assert sum(events.values()) == sum(group.count for group in trace.shown)


@settings(max_examples=25)
@given(st.one_of(reduces(), reduce_windows(), select_and_scatters()))
def test_numbers_of_a_random_reduction_are_at_its_nodes(program: Program) -> None:
    trace = interp.trace(program.module, *program.args)
    check_nodes(program.module, model_explorer.overlays(program.module, trace))


@pytest.mark.parametrize("seed", range(8))
def test_numbers_of_a_random_chain_are_at_its_nodes(seed: int) -> None:
    module, args = chain(Random(seed), "quantized")
    for reading in ("dequantize", "integer"):
        with suppress(interp.Violation):  # scales whose product no accumulator can have
            trace = interp.trace(module, *args, reading=reading)
            check_nodes(module, model_explorer.overlays(module, trace))


class Sums:
    """The pool's sums in plain integers: its accumulator's scale is an eighth of the input's, without offset.

    `contiguous` are the least and the greatest sum of neighbouring leaves, which some schedule computes.
    """

    def __init__(self) -> None:
        x = np.load(POOL.with_suffix(".npz"))["arg0"].astype(int)
        self.events, self.errors, self.contiguous = list[int](), list[int](), (0, 0)
        for i, j, c in np.ndindex(4, 4, 3):
            leaves = 8 * x[0, 4 * i : 4 * i + 8, 4 * j : 4 * j + 8, c].ravel()
            total, saturated = 0, 0
            for leaf in leaves.tolist():
                exact = total + leaf
                total = max(-32768, min(32767, exact))
                saturated += total != exact
            self.events.append(saturated)
            self.errors.append(abs(total - int(leaves.sum())))
            ends = np.concatenate([[0], np.cumsum(leaves)])
            runs = np.triu(ends - ends[:, None])
            least, greatest = self.contiguous
            self.contiguous = min(least, int(runs.min())), max(greatest, int(runs.max()))

    @property
    def headroom(self) -> int:
        """The number of times that all sums could double; negative if they must be halved."""
        least, greatest = self.contiguous
        fits = [k for k in range(-8, 8) if least * 2.0**k >= -32768 and greatest * 2.0**k <= 32767]
        return max(fits)


def test_the_numbers_of_a_pool_are_those_of_plain_integers() -> None:
    module, trace = traced(POOL)
    found, sums = model_explorer.overlays(module, trace), Sums()
    assert values(found["events"]) == {"%sum": sum(sums.events)}
    assert found["events"]["main"]["results"]["%sum"]["bgColor"] == WORST  # within an accumulation
    assert values(found["error"]) == {"%sum": max(sums.errors)}
    share = sum(map(bool, sums.events)) / 48
    assert values(found["overflowed"]) == {"%sum": pytest.approx(share, rel=1e-3), "%pooled": 0.0}
    assert values(found["headroom"]) == {"%sum": sums.headroom}


def test_clipping_is_a_warning_with_its_share_and_its_error() -> None:
    q = "!quant.uniform<i8:f32, 0.5>"
    line = f"%q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x{q}>"
    module = function(f"(%x: tensor<4xf32>) -> tensor<4x{q}>", line)
    found = model_explorer.overlays(module, interp.trace(module, np.float32([1, 70, -66, 0.25])))
    # 70 is 140 steps and becomes 127, -66 is -132 and becomes -128, and 0.25 is half a step: one to even.
    assert values(found["events"]) == {"%q": 2}
    assert found["events"]["main"]["results"]["%q"]["bgColor"] == NOTABLE
    assert values(found["overflowed"]) == {"%q": 0.5}
    assert values(found["error"]) == {"%q": 13}
    assert "headroom" not in found


TWICE = """
func.func @twice(%a: tensor<2xi8>) -> tensor<2xi8> {
  %sum = stablehlo.add %a, %a : tensor<2xi8>
  return %sum : tensor<2xi8>
}"""


def test_an_operation_that_runs_several_times_has_all_its_elements() -> None:
    lines = [f"%{k + 1} = func.call @twice(%{k}) : (tensor<2xi8>) -> tensor<2xi8>" for k in range(4)]
    module = function("(%0: tensor<2xi8>) -> tensor<2xi8>", *lines, after=TWICE)
    # 20, 40, 80, -96 (wraps), 64 (wraps) and 1, 2, 4, 8, 16: two of eight.
    found = model_explorer.overlays(module, interp.trace(module, np.int8([20, 1])))
    assert values(found["overflowed"], "twice") == {"%sum": 0.25}
    assert values(found["events"], "twice") == {"%sum": 2}
    check_nodes(module, found)


TOTAL = """
func.func @total(%a: tensor<2xi8>) -> tensor<i8> {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  return %sum : tensor<i8>
}"""


@pytest.mark.parametrize("order", ["%x %y", "%y %x"])
def test_a_reduction_that_runs_several_times_has_its_worst_numbers(order: str) -> None:
    calls = [
        f"%{k} = func.call @total({x}) : (tensor<2xi8>) -> tensor<i8>" for k, x in enumerate(order.split())
    ]
    module = function("(%x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<i8>", *calls, after=TOTAL)
    found = model_explorer.overlays(module, interp.trace(module, np.int8([100, 100]), np.int8([1, 2])))
    assert values(found["error"], "total") == {"%sum": 256}  # 200 became -56
    assert values(found["headroom"], "total") == {"%sum": -1}
    assert values(found["overflowed"], "total") == {"%sum": 0.5}


def test_values_that_have_other_names_in_bytecode_are_the_same_nodes() -> None:
    """The graph is that of the file that is shown, the trace that of its text."""
    text = interp.load(POOL)
    bytecode = interp.load(POOL.with_suffix(".current.mlirbc"))
    trace = interp.trace(text, np.load(POOL.with_suffix(".npz"))["arg0"])
    found = model_explorer.overlays(bytecode, trace)
    (node,) = values(found["events"])
    (op,) = (op for op in bytecode.ops() if op.name == "stablehlo.reduce_window")
    assert node == op.results[0].name != "%sum"


def test_a_survey_has_the_numbers_of_its_rows() -> None:
    module = simulated()
    survey = interp.survey(module, BATCHES, ranking=True)
    found = model_explorer.overlays(module, survey)
    check_nodes(module, found)
    rows = {row["layer"]: row for row in survey.rows() if row["operation"] != "return"}
    assert rows.keys() == values(found["sqnr"]).keys()
    scales = {"%product": 0.5, "%bent": 0.25}
    for name, row in rows.items():
        assert values(found["sqnr"])[name] == pytest.approx(row["SQNR dB"], rel=1e-3)
        assert values(found["overflows"])[name] == row["overflows"]
        assert values(found["headroom"])[name] == pytest.approx(row["headroom"], rel=1e-3)
        assert values(found["error"])[name] == pytest.approx(row["largest error"] / scales[name], rel=1e-3)
    assert survey.ranking
    alone = {x.layer: x.alone.sqnr for x in survey.ranking.layers if x.layer in rows}
    assert values(found["alone"]) == pytest.approx(alone, rel=1e-3)


def test_colours_and_numbers_include_the_infinite_ones() -> None:
    assert [shade(x, ROOM) for x in (-inf, -1, inf)] == [WORST, WORST, FINE]
    assert [shade(x, ERRORS) for x in (0, 0.5, inf)] == [FINE, FINE, WORST]
    numbers = (inf, -inf, 3, 12345.678, 0.1, sys.float_info.max, 10**400, 10**17)
    known = ["∞", "-∞", 3, 12350.0, 0.1, "1.798e+308", "1.000e+400", 1e17]
    assert [result(x, "")["value"] for x in numbers] == known


def test_a_run_of_another_program_is_refused() -> None:
    _, trace = traced(POOL)
    with pytest.raises(Malformed, match="the trace is of another program"):
        model_explorer.overlays(DIGITS, trace)
    survey = interp.survey(simulated(), BATCHES)
    with pytest.raises(Malformed, match="no operation %"):
        model_explorer.overlays(POOL, survey)
    other = function(
        "(%x: tensor<2xf32>) -> tensor<2xf32>",
        "%product = stablehlo.add %x, %x : tensor<2xf32>",
        "%bent = stablehlo.tanh %product : tensor<2xf32>",
    )
    with pytest.raises(Malformed, match="%product is add, and was multiply"):
        model_explorer.overlays(other, survey)
    with pytest.raises(Malformed, match="expected a trace or a survey"):
        model_explorer.overlays(POOL, trace.results)  # type: ignore[arg-type]


def test_a_program_with_unknown_sizes_is_refused() -> None:
    dynamic = function("(%x: tensor<?xf32>) -> tensor<?xf32>", "%y = stablehlo.abs %x : tensor<?xf32>")
    trace = interp.trace(dynamic, np.float32([1, 2]))
    with pytest.raises(Unsupported, match="unknown sizes"):
        model_explorer.overlays(dynamic, trace)
    model_explorer.overlays(trace.module, trace)


def test_the_commands_write_files_and_print_what_shows_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(POOL), str(POOL.with_suffix(".npz")), "--explorer", str(tmp_path / "t")]) == 0
    *_, command = capsys.readouterr().out.splitlines()
    files = [str(tmp_path / f"t/{name}.json") for name in ("headroom", "error", "overflowed", "events")]
    start = f"model-explorer {POOL} --extensions=interp.model_explorer"
    assert command == f"{start} --node_data_paths={','.join(files)}"
    found = {Path(file).stem: json.loads(Path(file).read_text()) for file in files}
    assert found == model_explorer.overlays(*traced(POOL))
    images = f"{DIGITS.with_suffix('.npz')}:arg0"
    assert main(["survey", str(DIGITS), images, "--explorer", str(tmp_path / "s")]) == 0
    names = {"headroom.json", "overflows.json", "error.json", "sqnr.json"}
    assert {file.name for file in (tmp_path / "s").iterdir()} == names
    assert "--extensions=interp.model_explorer" in capsys.readouterr().out


def test_names_that_the_page_cannot_take_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a,b"
    assert main(["trace", str(POOL), "--random", "1", "--explorer", str(folder)]) == 2
    assert "a comma in a name" in capsys.readouterr().err
    assert not folder.exists()


def test_the_extension_says_what_is_missing() -> None:
    code = "import sys; sys.modules['model_explorer'] = None; import interp.model_explorer.main"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert found.returncode == 1
    assert "pip install 'stablehlo-interp[explorer]'" in found.stderr
