"""`tools/house` counts what it says, and no figure of the house exceeds its limit."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from housing import figures, imports, loaded, sizes, words  # noqa: E402
from housing.figures import Figure, Limit  # noqa: E402

from tests.test_demo import script  # noqa: E402


@pytest.fixture(scope="module")
def house() -> list[Figure]:
    return figures.measure()


def test_no_figure_exceeds_its_limit(house: list[Figure]) -> None:
    """Lower the figure, not the limit: `tools/house --show TEXT` lists what is counted."""
    assert figures.violations(house) == []


def test_every_limit_has_its_figure(house: list[Figure]) -> None:
    assert list(figures.read_limits()) == [figure.what for figure in house]


def test_a_figure_beyond_its_limit_and_one_without_are_named() -> None:
    too_many = Figure("circles of rooms", 1000)
    assert figures.violations([too_many, Figure("doors", 0)]) == [
        "doors: no limit in limits.txt",
        f"circles of rooms: 1,000 exceeds the limit {figures.read_limits()['circles of rooms'].limit}",
    ]


def test_limits_are_only_lowered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Lines are rounded up to the next 500."""
    monkeypatch.setattr(figures, "LIMITS", tmp_path / "limits.txt")
    figures.LIMITS.write_text(
        "what | limit | goal\ndoors | 7 | 2\nwindows | 7 | 1 %\ncore: lines | 9000 | -\n"
    )
    figures.LIMITS.write_text(
        figures.lower([Figure("doors", 5), Figure("windows", 9), Figure("core: lines", 7501)])
    )
    assert figures.read_limits() == {
        "doors": Limit(5, "2"),
        "windows": Limit(7, "1 %"),
        "core: lines": Limit(8000, "-"),
    }


@pytest.mark.parametrize(
    "name",
    "stored _moved found kept_ held unknown rewritten rebuilt stored_x _given_2 of_type _of_operands".split(),
)
def test_a_participle_or_of_breaks_the_rule(name: str) -> None:
    assert words.is_bare(name)


@pytest.mark.parametrize(
    "name",
    "need seed infeed pad read split cast bound left present is_stored stored_type rounding red offset often "
    "storage __getattr__ find keep f16 x".split(),
)
def test_verbs_nouns_and_predicates_keep_it(name: str) -> None:
    assert not words.is_bare(name)


SOURCE = """
class Door:
    def opened(self, given):
        for found in given:
            def painted(kept): pass
            (seen, width) = found, [held for held in given]
if True:
    async def of_glass(): pass
"""


def test_functions_and_locals_are_found_wherever_they_stand() -> None:
    definitions = list(words.define(ast.parse(SOURCE)))
    assert [(x.node.name, x.scope, x.owner and x.owner.name) for x in definitions] == [
        ("opened", "Door", "Door"),
        ("painted", "Door.opened", None),
        ("of_glass", "", None),
    ]
    names = [name for name, _ in words.bind(definitions[0].node)]
    assert names == ["self", "given", "found", "seen", "width", "held"]


def test_documented_public_names_are_apart() -> None:
    """`interp.batched` and `Bounds.suggested` are in the reference; a class of that name elsewhere is not."""
    listed = {(name.file, name.scope, name.name) for name in words.bare_functions()}
    assert ("interp/apps/surveys/batches.py", "", "batched") not in listed
    assert ("interp/questions/bounds.py", "Bounds", "suggested") not in listed
    public = words.documented()
    elsewhere = words.Definition(ast.parse("def batched(): pass").body[0], "", None)  # type: ignore[arg-type]
    assert public.has("interp.apps.surveys.batches", elsewhere)
    assert not public.has("interp.engine.fold", elsewhere)
    assert all(words.is_bare(name) for _, _, name in listed)
    assert all(name.room.split(".")[0] in imports.PACKAGES for name in words.bare_functions())


def test_circles_of_rooms_count_lazy_imports_and_say_where() -> None:
    graph = {
        "interp.kernels.add": {"interp.engine.fold"},
        "interp.engine.fold": {"interp.kernels.add"},
        "spec.ir": set(),
    }
    (circle,) = imports.circles(imports.graph_rooms(graph))
    assert circle == {"interp.kernels", "interp.engine"}
    assert imports.explain_circle(circle, graph) == [
        "interp.engine imports interp.kernels: interp.engine.fold -> interp.kernels.add",
        "interp.kernels imports interp.engine: interp.kernels.add -> interp.engine.fold",
    ]


def test_a_run_is_counted_in_both_processes(house: list[Figure]) -> None:
    named = {figure.what: figure.items for figure in house}
    parent, child = named["modules that a run imports"], named["modules that its reading child adds"]
    assert {"interp.__main__", "interp.execute.run", "spec.ir"} <= set(parent)
    assert set(parent) & set(child) == set()
    if sys.platform == "linux":  # elsewhere the child is no fork, and inherits no recorder
        assert "interp.loading.reader" in child


def test_the_oracle_is_what_stands_below_meaning() -> None:
    assert loaded.is_oracle("spec.meaning.numbers")
    assert not loaded.is_oracle("spec.rules.verify")


def test_the_core_and_the_apps_are_all_files() -> None:
    parts = sizes.measure_parts()
    every = [*(ROOT / "interp").rglob("*.py"), *(ROOT / "spec").rglob("*.py")]
    assert sum(part.files for part in parts.values()) == len(every)
    assert sum(part.lines for part in parts.values()) == sum(len(f.read_bytes().splitlines()) for f in every)
    assert sizes.app(ROOT / "interp/apps/prompt/words.py") == "prompt"
    assert sizes.app(ROOT / "interp/apps/suite/cases.py") == "suite"
    assert sizes.app(ROOT / "interp/engine/fold.py") is None


def test_one_importer_in_the_same_folder_makes_a_chapter_of_it() -> None:
    graph = {
        "spec.ir": {"spec.attributes"},
        "spec.types": {"spec.elements"},
        "interp.engine.fold": {"spec.elements"},
    }
    assert sizes.single_importers(graph) == [("spec.attributes", "spec.ir")]


def test_the_command_prints_the_table_and_lists_a_room(
    house: list[Figure], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = script("house", monkeypatch)
    monkeypatch.setattr(tool._venv, "enter", lambda: None)
    monkeypatch.setattr(figures, "measure", lambda: house)
    assert tool.main([]) == 0
    assert capsys.readouterr().out.split()[:4] == ["what", "now", "limit", "goal"]
    assert tool.main(["--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["what"] for row in rows] == [figure.what for figure in house]
    names = [words.Name("kept", "Box", f"interp/{room}/x.py", 7) for room in ("kernels", "engine")]
    monkeypatch.setattr(words, "bare_functions", lambda: names)
    assert tool.main(["--list", "interp.kernels"]) == 0
    assert capsys.readouterr().out == "interp/kernels/x.py:7: Box.kept\n"
    assert tool.main(["--show", "circles of rooms"]) == 0
    assert capsys.readouterr().out.startswith("circles of rooms: ")


def test_the_glossary_is_sorted_and_has_each_word_once() -> None:
    page = (ROOT / "docs/glossary.md").read_text()
    for section in page.split("\n## ")[1:]:
        rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")][2:]
        keys = [row.replace("`", "").strip().lower() for row in rows]
        assert keys == sorted(set(keys)), section.splitlines()[0]
