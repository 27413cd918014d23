"""Model Explorer itself: its server finds the extension, and its page shows a program with its overlays."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.apps import model_explorer
from interp.engine.inputs import random_arguments
from tests.library.browsers import CHROMIUM, needs_chromium
from tests.library.builders import function

WANTED = "no Model Explorer: pip install 'stablehlo-interp[explorer]'"
pytest.importorskip("model_explorer", reason=WANTED)
requests = pytest.importorskip("requests", reason=WANTED)
playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
pytestmark = [needs_chromium, pytest.mark.slow("drives a browser")]
ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "testdata/programs/overflowing_pool.mlir"
ARGUMENTS = PROGRAM.with_suffix(".npz")
SECONDS = 120  # that a page may take on a busy machine
DRAWN = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that `model-explorer FILE --extensions=interp.model_explorer` prints."""
    folder = tmp_path_factory.mktemp("explorer")
    trace = interp.trace(interp.load(PROGRAM), np.load(ARGUMENTS)["arg0"])
    paths = ",".join(map(str, model_explorer.save(PROGRAM, trace, folder)))
    command = [sys.executable, "-m", "model_explorer", str(PROGRAM), "--extensions=interp.model_explorer"]
    command += [f"--node_data_paths={paths}", "--no_open_in_browser", "--host=127.0.0.1", f"--port={port()}"]
    log = folder / "log"
    with open(log, "w") as stream:
        server = subprocess.Popen(command, stdout=stream, stderr=stream, cwd=ROOT, env=environment())
    try:
        yield printed(log, server)
    finally:
        server.terminate()
        server.wait()


def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}


def printed(log: Path, server: subprocess.Popen[bytes]) -> str:
    """Wait until the server prints its address, and return that."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        if found := re.search(r"^http://\S+$", log.read_text(), re.M):
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"no server: {log.read_text()}")


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=DRAWN)
        view = browser.new_page(viewport={"width": 1400, "height": 900})
        view.set_default_timeout(1000 * SECONDS)
        view.goto(address)
        yield view
        browser.close()


def rows(page: Any, label: str) -> list[list[str]]:
    """Return the cells of the table of all nodes in rows of this label."""
    found = page.locator("tr", has_text=label).all_inner_texts()
    return [re.split(r"\s+", text.strip()) for text in found]


def test_the_extensions_are_listed_the_adapter_first(address: str) -> None:
    server = address.partition("/?")[0]
    listed = requests.get(f"{server}/api/v1/get_extensions").json()
    assert [each["id"] for each in listed if "mlir" in each.get("fileExts", [])] == ["interp", "builtin_mlir"]
    assert [each["name"] for each in listed if each["type"] == "node_data_provider"] == ["Run with interp"]


def test_the_server_sends_the_graphs_of_the_adapter(address: str) -> None:
    """Every field is as `model_explorer` declares it."""
    from dacite import Config, from_dict
    from model_explorer.graph_builder import Graph

    server = address.partition("/?")[0]
    asked = {"cmdId": "convert", "extensionId": "interp", "modelPath": str(PROGRAM), "settings": {}}
    asked["deleteAfterConversion"] = False  # type: ignore[assignment]
    answer = requests.post(f"{server}/apipost/v1/send_command", json=asked).json()
    ((graph,),) = (collection["graphs"] for collection in answer["graphCollections"])
    assert [graph] == model_explorer.graphs(PROGRAM)
    made = from_dict(Graph, graph, Config(strict=True))
    assert [node.id for node in made.nodes] == [node["id"] for node in graph["nodes"]]
    broken = requests.post(f"{server}/apipost/v1/send_command", json={**asked, "modelPath": "none.mlir"})
    assert "none.mlir" in broken.json()["error"]


def test_the_page_shows_the_program_and_the_numbers_of_the_trace(page: Any) -> None:
    page.get_by_text("overflowing_pool.mlir").first.wait_for()
    page.locator("tr", has_text="uniform_quantize").last.wait_for()
    assert "@main" in page.inner_text("body")
    (sums,) = (row for row in rows(page, "reduce_window") if "65" in row)
    assert sums[1:] == ["reduce_window", "-1", "14264", "0.1667", "65"]
    shown = page.locator("tr", has_text="14264").locator("td", has_text="65").last
    colors = "e => [e, ...e.querySelectorAll('*')].map(x => getComputedStyle(x).backgroundColor)"
    assert "rgb(140, 45, 4)" in shown.evaluate(colors)


def test_the_page_runs_the_program_itself(page: Any) -> None:
    page.get_by_text("Add per-node data").click()
    page.locator(".cdk-overlay-container .name", has_text="Run with interp").click()
    page.locator("[data-editor-id=arguments] input").fill(str(ARGUMENTS))
    page.locator("button.btn-run").click()
    twice = re.compile("65.*65", re.S)
    page.locator("tr", has_text="reduce_window").filter(has_text=twice).first.wait_for()
    (sums,) = (row for row in rows(page, "reduce_window") if row.count("65") == 2)
    assert sums[1:] == ["reduce_window", *["-1", "14264", "0.1667", "65"] * 2]


def test_the_adapter_takes_the_rfc_s_form_and_says_what_it_cannot_read(tmp_path: Path) -> None:
    from interp.apps.model_explorer.main import StablehloAdapter

    path = PROGRAM.with_name("rfc_example.mlir")
    (collection,) = StablehloAdapter().convert(str(path), {})["graphCollections"]
    assert collection.graphs == model_explorer.graphs(interp.load(path, dialect="rfc"))
    (tmp_path / "bad.mlir").write_text("func.func @main() { stablehlo.bogus }")
    with pytest.raises(interp.Malformed, match="bogus"):
        StablehloAdapter().convert(str(tmp_path / "bad.mlir"), {})


def test_the_settings_limit_constants() -> None:
    from interp.apps.model_explorer.main import StablehloAdapter

    path = PROGRAM.with_name("max_pool_gradient.mlir")
    for limit, wanted in ((2, 2), (-1, None)):
        (collection,) = StablehloAdapter().convert(str(path), {"const_element_count_limit": limit})[
            "graphCollections"
        ]
        assert collection.graphs == model_explorer.graphs(path, wanted)


def test_a_run_on_random_arguments_depends_on_the_seed(tmp_path: Path) -> None:
    from interp.apps.model_explorer.main import TraceProvider

    path, type = tmp_path / "clipping.mlir", "tensor<64x!quant.uniform<i8:f32, 0.005>>"
    line = f"%q = stablehlo.uniform_quantize %x : (tensor<64xf32>) -> {type}"
    module = function(f"(%x: tensor<64xf32>) -> {type}", line)
    path.write_text(repr(module))

    def answer(**values: Any) -> Any:
        return TraceProvider().run("interp_trace", str(path), "main", values, None)

    for seed in (1, 2):
        trace = interp.trace(module, *random_arguments(module.main, seed))
        wanted = [data["main"] for data in model_explorer.overlays(module, trace).values()]
        assert answer(arguments="", seed=seed).result == wanted
    assert answer(seed=1).result != answer(seed=2).result
    assert "none.npy" in answer(arguments="none.npy").error
