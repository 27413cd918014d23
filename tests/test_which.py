"""Which verb for which question: `interp` alone and its table; the options that the help of a verb offers."""

from __future__ import annotations

import argparse
import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.command import which
from interp.command.answer import run_verb
from interp.command.options import verbs_of
from interp.command.status import complete_parser
from interp.command.verbs import EXAMPLES, VERBS
from spec.errors import InterpError

ROOT = Path(__file__).resolve().parent.parent
SMALL = "!quant.uniform<i8:f32, 0.5>"
PROGRAM = f"""func.func @main(%x: tensor<2x3x4x{SMALL}>) -> tensor<2x3x{SMALL}> {{
  %zero = stablehlo.constant() {{value = dense<0> : tensor<i8>}} : () -> tensor<{SMALL}>
  %sum = "stablehlo.reduce"(%x, %zero) ({{
  ^bb0(%a: tensor<{SMALL}>, %b: tensor<{SMALL}>):
    %c = "stablehlo.add"(%a, %b) : (tensor<{SMALL}>, tensor<{SMALL}>) -> tensor<{SMALL}>
    "stablehlo.return"(%c) : (tensor<{SMALL}>) -> ()
  }}) {{dimensions = array<i64: 2>}} : (tensor<2x3x4x{SMALL}>, tensor<{SMALL}>) -> tensor<2x3x{SMALL}>
  return %sum : tensor<2x3x{SMALL}>
}}"""
FLOATS = """func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = stablehlo.add %x, %x : tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}"""
Captured = pytest.CaptureFixture[str]


# The questions


def test_interp_alone_prints_the_questions_where_nobody_can_be_asked(capsys: Captured) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("interp: a verb is missing")
    assert [line for line in out.splitlines() if line[0] != " "] == list(which.HAVE)
    for row in which.QUESTIONS:
        assert re.search(
            rf"^  {re.escape(row.question)} +{re.escape(row.command.replace('`', ''))}$", out, re.M
        )


def test_interp_alone_asks_a_person(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def answer(*typed: str) -> tuple[int, str]:
        lines = iter(typed)
        monkeypatch.setattr(which, "is_on_terminal", lambda: True)
        monkeypatch.setattr(which.ask, "__defaults__", (lambda _: next(lines, ""), print))
        return main([]), capsys.readouterr().out

    status, out = answer("2", "wide")
    assert status == 0
    assert "  6  How wide must the accumulator be?\n" in out
    assert "interp bounds model.mlirbc args.npz" in out
    assert out.endswith("in Python: interp.trace(...).bounds, then interp.with_accumulator\n")
    status, out = answer("program", "99", "results", "2")
    assert "program: expected a number from 1 to 6; it may be a program or a program and" in out
    assert "99: expected a number from 1 to 6; nothing there has this word" in out
    status, out = answer("device or", "blame", "pass")
    assert "blame: expected a number from 1 to 3; nothing" in out
    assert "interp blame model.mlirbc args.npz" in out
    assert answer()[0] == answer("1")[0] == 2


def test_every_question_is_answered_with_an_example_of_its_verb() -> None:
    for row in which.QUESTIONS:
        said: list[str] = []
        rows = [each for each in which.QUESTIONS if each.have == row.have]
        typed = iter([str(which.HAVE.index(row.have) + 1), str(rows.index(row) + 1)])
        assert which.ask(EXAMPLES, lambda _, typed=typed: next(typed), said.append)
        for verb in which.verbs_in(row):
            assert any(f"interp {verb} " in text and "--help" in text for text in said[2:]), row
            assert f"\n  interp {verb} " in EXAMPLES


# The options that help offers


PARSERS: dict[str, argparse.ArgumentParser] = verbs_of(complete_parser())


@pytest.mark.parametrize("verb", VERBS)
def test_help_names_only_options_of_its_verb(verb: str) -> None:
    known = {option for action in PARSERS[verb]._actions for option in action.option_strings}
    text = re.sub(r"interp \w+ --[\w-]+", "", PARSERS[verb].format_help())
    assert {*re.findall(r"(?<![\w-])--[a-z][\w-]*", text)} <= known


def test_every_example_is_understood() -> None:
    lines = re.findall(r"^  interp (.*?)(?:  .*)?$", EXAMPLES, re.M)
    lacking = [*VERBS.keys() - {line.split()[0] for line in lines}]
    assert lacking == [], "EXAMPLES of interp/command/verbs.py has an example of each verb"
    parser = complete_parser()
    for line in lines:
        parser.parse_args(shlex.split(re.split(r" [>&]", line)[0]))


class Seen(Exception):
    """Every option has been read."""


class Recorded(argparse.Namespace):
    """Options that record which were read, and end the verb when the last of `wanted` was."""

    def __getattribute__(self, name: str) -> Any:
        values = object.__getattribute__(self, "__dict__")
        if name in values.get("wanted", ()):
            values["wanted"].discard(name)
            if not values["wanted"]:
                raise Seen
        return object.__getattribute__(self, name)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a quantized program, a float one, their arguments and results."""
    folder = tmp_path_factory.mktemp("which")
    (folder / "m.mlir").write_text(PROGRAM)
    (folder / "f.mlir").write_text(FLOATS)
    x = np.arange(24, dtype=np.int8).reshape(2, 3, 4) * 5
    np.save(folder / "x.npy", x)
    np.save(folder / "f.npy", np.arange(8, dtype=np.float32).reshape(2, 4))
    np.save(folder / "y.npy", interp.run(folder / "m.mlir", x)[0].storage)
    np.save(folder / "labels.npy", np.zeros(2, np.int64))
    return folder


# Arguments with which a verb comes to each of its options; {} is the folder.
BASE = dict.fromkeys(VERBS, "{}/m.mlir {}/x.npy")
BASE |= dict.fromkeys(("show", "verify", "prove", "raise-qdq", "lower"), "{}/m.mlir")
BASE |= {
    "quantize": "{}/f.mlir {}/f.npy",
    "permits": "{}/m.mlir {}/x.npy --results {}/y.npy",
    "diagnose": "{}/m.mlir {}/x.npy --results {}/y.npy",
    "compare": "{}/m.mlir {}/x.npy --against {}/m.mlir",
    "survey": "{}/m.mlir {}/x.npy --against {}/m.mlir --metric accuracy --labels {}/labels.npy",
    "widths": "{}/m.mlir {}/x.npy --metric accuracy --labels {}/labels.npy",
    "lower": "{}/m.mlir -o {}/lowered.mlir",
    "check": "{}/m.mlir -o {}/check.txt",
    "conformance": "--ops cholesky",
    "fuzz": "--seconds 0",
    "errata": "E7",
    "reveal": "{}/f.mlir --impl numpy --check 6",
    "completion": "bash",
    "repl": "{}/m.mlir {}/x.npy",
}
SILENT = {"help", "json", "csv"}  # what argparse and `run_verb` read, for every verb
FOLDERS = {"explorer", "html", "save", "output", "junit"}  # files to write, which are read at the end


def words(verb: str, folder: Path) -> list[str]:
    return shlex.split(BASE[verb].replace("{}", str(folder)))


def offered(verb: str) -> list[argparse.Action]:
    """The options of a verb that only it can look at."""
    return [action for action in PARSERS[verb]._actions if action.dest not in SILENT]


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_that_help_offers_is_looked_at(
    verb: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One run of the verb reads all of its options; it is cut off when it has."""
    monkeypatch.chdir(files)
    monkeypatch.setattr("interp.apps.prompt.prompt.repl", lambda *_: True)
    options = complete_parser().parse_args([verb, *words(verb, files)], Recorded())
    vars(options)["wanted"] = {action.dest for action in offered(verb)}
    with contextlib.suppress(Seen):
        run_verb(options)
    assert vars(options)["wanted"] == set()


# Options that take any text, and why.
FREE = {("check", "ignore"): "a model need not have remarks by a rule that is ignored"}


def valued() -> Iterator[tuple[str, argparse.Action]]:
    """Yield the options that take a value which argparse does not judge."""
    for verb in VERBS:
        for action in offered(verb):
            is_judged = action.nargs == 0 or action.choices or not action.option_strings
            if not is_judged and (verb, action.dest) not in FREE:
                yield verb, action


@pytest.mark.parametrize(("verb", "action"), [*valued()], ids=lambda x: getattr(x, "dest", x))
def test_nonsense_is_refused_by_every_option(
    verb: str, action: argparse.Action, files: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value without a meaning ends a verb with a message; else it would not be used."""
    monkeypatch.chdir(files)
    value = str(files / "x.npy" / "file") if action.dest in FOLDERS else "nonsense:=("
    given = [verb, *words(verb, files), action.option_strings[-1], value]
    with pytest.raises((InterpError, OSError, SystemExit)):
        run_verb(complete_parser().parse_args(given))
