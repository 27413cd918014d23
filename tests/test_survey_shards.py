"""Surveys in shards: the same bits in any order and number, parts refused by name, and work that goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.apps.surveys import part_file, shard
from interp.apps.surveys.columns import ArrayColumn
from interp.apps.surveys.merge import list_parts, merge_surveys
from interp.apps.surveys.part import join_ranges
from interp.apps.surveys.part_file import exact_in, exact_out, read_survey, real_in, real_out
from interp.apps.surveys.result import Survey
from spec.errors import Malformed

ROOT = Path(__file__).resolve().parent.parent
Q = "!quant.uniform<i8:f32, 0.5:3>"
PROGRAM = f"""func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {{
  %w = stablehlo.constant dense<[0.3, -1.7, 2.2, 0.9]> : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %p = stablehlo.multiply %x, %b : tensor<3x4xf32>
  %q = stablehlo.uniform_quantize %p : (tensor<3x4xf32>) -> tensor<3x4x{Q}>
  %d = stablehlo.uniform_dequantize %q : (tensor<3x4x{Q}>) -> tensor<3x4xf32>
  %t = stablehlo.tanh %d : tensor<3x4xf32>
  return %t : tensor<3x4xf32>
}}"""
SAMPLES = 3 * 11 - 1  # the last batch is filled up
RNG = np.random.default_rng(32)
X = RNG.normal(0, 40, (SAMPLES, 4)).astype(np.float32)
X[7, 2], X[4] = np.inf, 100  # a number that has no error, and numbers that saturate
X[[2, 20, 29]] = 1e20  # equal errors, whose squares leave the range: the first of them is the worst
Y = RNG.integers(0, 4, SAMPLES)
HOW: dict[str, Any] = {"metric": "accuracy", "ranking": True, "sums": True, "rates": True}


def data(**choice: Any) -> Any:
    return interp.batched(interp.load(PROGRAM), X, targets=Y, **choice)


def surveyed(k: int, n: int, **how: Any) -> Survey:
    return interp.survey(PROGRAM, data(), shard=(k, n), **HOW, **how)


def content(found: Survey, folder: Path) -> bytes:
    return interp.save_survey(found, folder / "content.json").read_bytes()


@pytest.fixture(scope="module")
def whole() -> Survey:
    return surveyed(0, 1)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 11, 14])
def test_merged_parts_are_the_bytes_of_one_process(n: int, whole: Survey, tmp_path: Path) -> None:
    files = [tmp_path / f"part{k}.json" for k in range(n)]
    for k, file in enumerate(files):
        surveyed(k, n, save=file)
    random.Random(n).shuffle(files)
    merged = merge_surveys(files)
    assert content(merged, tmp_path) == content(whole, tmp_path)
    assert repr(merged) == repr(whole)
    assert merged.samples == SAMPLES
    assert not merged.partial
    assert sum(x is None for x in [merged.metric, merged.ranking, merged.overflowing]) == 0


@pytest.mark.parametrize("n", [2, 3])
def test_iterators_are_merged_alike(n: int, tmp_path: Path) -> None:
    batches = list(data())
    how = {**HOW, "metric": None}
    one = interp.survey(PROGRAM, iter(batches), shard=(0, 1), **how)
    parts = [interp.survey(PROGRAM, (x for x in batches), shard=(k, n), **how) for k in range(n)]
    assert content(merge_surveys(parts[::-1]), tmp_path) == content(one, tmp_path)
    assert parts[1].part is not None
    assert parts[1].part.done[0] == (3, 6)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 10), min_size=1, max_size=6, unique=True), st.randoms())
def test_surveys_add_up_in_any_grouping(numbers: list[int], draw: random.Random) -> None:
    parts = [interp.survey(PROGRAM, [data()[k]], "accuracy", first=3 * k, rates=True) for k in numbers]
    expected = parts[0]
    for part in parts[1:]:
        expected = expected + part
    while len(parts) > 1:
        draw.shuffle(parts)
        parts = [parts[0] + parts[1], *parts[2:]]
    assert repr(parts[0]) == repr(expected)
    assert [x.noise for x in parts[0].layers] == [x.noise for x in expected.layers]
    assert parts[0].events == expected.events


def test_the_first_of_equal_events_is_the_worst_in_any_grouping() -> None:
    """Samples 20 and 29 are as bad, and other events come before both."""
    early, middle, late = (interp.survey(PROGRAM, [data()[k]], "accuracy", first=3 * k) for k in (1, 6, 9))
    groupings = [(early + middle) + late, (early + late) + middle, early + (late + middle)]
    (overflow,) = {e for found in groupings for e in found.events if e.kind == "saturate"}
    assert overflow.worst_at == (20, 20)
    assert overflow.first_at < (6, 6)


def test_all_shards_match_by_the_numbers_of_the_first_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a value in other units may be left out in one shard, and stay in another."""
    seen: list[float] = []
    study = sys.modules["interp.apps.surveys.study"].Study
    monkeypatch.setattr(study, "decide", lambda self, batch: seen.append(batch.args[0][0, 0]))
    surveyed(1, 3)
    assert seen == [X[0, 0]]
    surveyed(0, 3)
    assert seen == [X[0, 0]]  # shard 0 begins with that batch


def test_the_digest_is_of_each_sample_at_its_place(tmp_path: Path) -> None:
    def digest(x: np.ndarray, y: np.ndarray = Y, how: Any = "accuracy") -> int:
        found = interp.survey(PROGRAM, interp.batched(interp.load(PROGRAM), x, targets=y), how, shard=(0, 1))
        assert found.part is not None
        return found.part.digest

    swapped, changed, labels = X.copy(), X.copy(), Y.copy()
    swapped[[30, 31]], changed[31, 3] = X[[31, 30]], np.nextafter(X[31, 3], np.float32(0))
    labels[[30, 31]] = Y[[31, 30]]
    digests = digest(X), digest(swapped), digest(changed), digest(X, Y + 1), digest(swapped, labels)
    assert len({*digests}) == 5
    assert digest(X) == digest(X.copy())


def test_surveys_that_share_samples_do_not_add_up() -> None:
    with pytest.raises(Malformed, match=r"share samples\n.*shard 1/2"):
        surveyed(1, 2) + surveyed(1, 2)
    with pytest.raises(Malformed, match="surveys of something else"):
        surveyed(1, 2) + surveyed(1, 3)


# Refusals


def parts(n: int, folder: Path, **how: Any) -> list[Path]:
    files = [folder / f"part{k}.json" for k in range(n)]
    for k, file in enumerate(files):
        interp.survey(PROGRAM, how.pop("data", data()), shard=(k, n), save=file, **how)
    return files


def refusal(files: list[Path]) -> str:
    with pytest.raises(Malformed) as error:
        merge_surveys(files)
    return str(error.value)


def test_missing_and_doubled_parts_are_named(tmp_path: Path) -> None:
    files = parts(4, tmp_path)
    said = refusal([files[3], files[0], files[1]])
    assert "missing shard 2/4: samples 15 to 23" in said
    assert str(files[3]) in said
    twice = tmp_path / "copy.json"
    twice.write_bytes(files[1].read_bytes())
    assert f"{twice} is doubled: {files[1]} is shard 1/4, too" in refusal([*files, twice])
    assert "give the files" in refusal([])


def test_foreign_parts_are_named_with_what_differs(tmp_path: Path) -> None:
    files = parts(2, tmp_path)
    other = X.copy()
    other[0, 0] += 1
    cases: dict[str, Callable[[Path], Survey]] = {
        "program": lambda to: interp.survey(PROGRAM.replace("0.3", "0.4"), data(), shard=(1, 2), save=to),
        "option schedule": lambda to: interp.survey(
            PROGRAM, data(), shard=(1, 2), save=to, schedule="balanced"
        ),
        "option metric": lambda to: interp.survey(PROGRAM, data(), "accuracy", shard=(1, 2), save=to),
        "option samples": lambda to: interp.survey(PROGRAM, data(limit=31), shard=(1, 2), save=to),
        "shards": lambda to: interp.survey(PROGRAM, data(), shard=(1, 3), save=to),
        "reference": lambda to: interp.survey(PROGRAM, data(), None, PROGRAM, shard=(1, 2), save=to),
        "data": lambda to: interp.survey(
            PROGRAM, interp.batched(interp.load(PROGRAM), other, targets=Y), shard=(1, 2), save=to
        ),
    }
    for what, make in cases.items():
        foreign = tmp_path / f"{what.replace(' ', '-')}.json"
        make(foreign)
        said = refusal([files[0], foreign])
        assert f"{foreign} is foreign: its {what} is not that of {files[0]}" in said, said


def test_another_version_is_foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = parts(2, tmp_path)
    monkeypatch.setattr(np, "__version__", "9.9")
    second = tmp_path / "second.json"
    interp.survey(PROGRAM, data(), shard=(1, 2), save=second)
    assert "version" in refusal([first, second])
    assert "numpy 9.9" in refusal([first, second])


def test_a_file_that_is_damaged_or_of_something_else_is_refused(tmp_path: Path) -> None:
    (file,) = parts(1, tmp_path)
    whole = file.read_bytes()
    for at in range(0, len(whole), len(whole) // 40):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(Malformed):
            read_survey(file)
    for text in ("", "[]", "{}", "[" * 100_000, '{"format": "interp survey part", "version": 2}'):
        file.write_text(text)
        with pytest.raises(Malformed):
            read_survey(file)
    with pytest.raises(Malformed, match="No such file"):
        read_survey(tmp_path / "nothing")


def test_a_file_with_a_right_digest_and_wrong_content_is_refused(tmp_path: Path) -> None:
    """Who writes such files can write anything; they must not cost memory, nor be taken for a survey."""
    (file,) = parts(1, tmp_path)
    whole = json.loads(file.read_bytes())

    def change(*path: Any, to: Any) -> None:
        rest = json.loads(json.dumps({key: whole[key] for key in ("part", "survey")}))
        at = rest
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to
        file.write_text(json.dumps({**part_file._seal(rest), **rest}))
        with pytest.raises(Malformed, match="damaged"):
            read_survey(file)

    change("survey", "layers", 0, "signal", to="1p999999999")
    change("survey", "layers", 0, "signal", to="f" * 200_000 + "p0")
    change("survey", "layers", 0, "type", to="tensor<")
    change("survey", "layers", 0, "histogram", to=[1])
    change("survey", "samples", to=-1)
    change("survey", "layers", to=None)
    change("part", "done", to=[[0]])


@given(st.fractions() | st.floats(allow_nan=False, allow_infinity=False).map(Fraction))
def test_exact_sums_are_written_exactly(x: Fraction) -> None:
    assert exact_in(exact_out(x)) == x


@pytest.mark.parametrize("x", [0.1, -0.0, inf, -inf, 5e-324, complex(1, -0.0), 7, True])
def test_numbers_are_written_exactly(x: Any) -> None:
    back = real_in(json.loads(json.dumps(real_out(x))))
    assert repr(back) == repr(x)
    assert repr(real_in(real_out(nan))) == "nan"


def test_ranges_join() -> None:
    assert join_ranges([(5, 6), (0, 2), (2, 4), (3, 3)]) == ((0, 4), (5, 6))


# Checkpoints


class Stop(BaseException):
    """A process that ends at some moment."""


@pytest.mark.parametrize("moment", range(1, 7))
def test_a_shard_goes_on_from_any_moment(
    moment: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends while batch after batch is written, and each time the same call goes on."""
    monkeypatch.setattr(shard, "SHARE", 0)  # a checkpoint after every batch
    file, real, calls = tmp_path / "part.json", os.replace, 0
    expected = content(surveyed(0, 2), tmp_path)

    def replace(*paths: Any) -> None:
        nonlocal calls
        calls += 1
        if calls % moment == 0:
            raise Stop
        real(*paths)

    measured: list[int] = []
    surveyor = sys.modules["interp.apps.surveys.survey"].Surveyor
    measure = surveyor.measure
    monkeypatch.setattr(
        surveyor, "measure", lambda self, x, first: measured.append(first) or measure(self, x, first)
    )
    monkeypatch.setattr(os, "replace", replace)
    for _ in range(3):
        try:
            surveyed(0, 2, save=file)
            break
        except Stop:
            pass
    monkeypatch.setattr(os, "replace", real)
    surveyed(0, 2, save=file)
    assert file.read_bytes() == expected
    assert set(measured) == {0, 3, 6, 9, 12}
    if moment > 1:
        assert len(measured) < 4 * 5


def test_a_finished_part_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "part.json"
    first = surveyed(0, 1, save=file)
    surveyor = sys.modules["interp.apps.surveys.survey"].Surveyor
    monkeypatch.setattr(surveyor, "measure", None)
    assert repr(surveyed(0, 1, save=file)) == repr(first)


def test_a_file_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    (file,) = parts(1, tmp_path)
    before = file.read_bytes()
    with pytest.raises(Malformed, match="option schedule is left"):
        interp.survey(PROGRAM, data(), shard=(0, 1), save=file, schedule="balanced")
    with pytest.raises(Malformed, match="shard is shard 0/1"):
        interp.survey(PROGRAM, data(), shard=(0, 2), save=file)
    assert file.read_bytes() == before


def test_a_deadline_leaves_a_part_that_goes_on(tmp_path: Path, whole: Survey) -> None:
    file, calls = tmp_path / "part.json", 0
    while calls == 0 or interp.read_survey(file).partial:
        found = surveyed(0, 1, save=file, seconds=0)
        calls += 1
        assert found.samples == min(SAMPLES, 3 * calls)
        assert found.partial == (calls < 11)
        if calls == 2:
            assert "is unfinished" in refusal([file])
            assert "6 of 32 samples" in refusal([file])
            assert "6 of 32 samples" in repr(list_parts([file]))
    assert calls == 11
    assert file.read_bytes() == content(whole, tmp_path)


CHILD = """
import sys, time
import numpy as np
import interp
from interp.apps.surveys import shard
shard.SHARE = 0
class Slow:
    def __init__(self, x): self.x = x
    def __len__(self): return len(self.x)
    def take(self, rows):
        time.sleep(0.02)
        return self.x[rows[0]:rows[-1] + 1]
program, x, file = sys.argv[1:]
m = interp.load(program)
x = np.load(x)
interp.survey(m, interp.batched(m, Slow(x)), shard=(0, 1), save=file, rates=True)
"""


def test_a_killed_process_goes_on(tmp_path: Path) -> None:
    """SIGKILL comes at a moment after some checkpoint, three times; the file is whole at each."""
    x, file, program = tmp_path / "x.npy", tmp_path / "part.json", tmp_path / "m.mlir"
    np.save(x, X)
    program.write_text(PROGRAM)
    done, environment = 0, {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, program, x, file], env=environment, start_new_session=True
        )
        until = time.monotonic() + 60
        while time.monotonic() < until and child.poll() is None:
            if file.exists() and read_survey(file).samples > done:
                break
            time.sleep(0.002)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        assert read_survey(file).samples > done
        done = read_survey(file).samples
        if done == SAMPLES:
            break
    one = interp.survey(PROGRAM, interp.batched(interp.load(PROGRAM), X), shard=(0, 1), rates=True)
    interp.survey(PROGRAM, interp.batched(interp.load(PROGRAM), X), shard=(0, 1), save=file, rates=True)
    assert file.read_bytes() == content(one, tmp_path)


# Batches that cannot be read


class Torn(ArrayColumn):
    """Rows of which some cannot be read."""

    def __init__(self, array: Any, bad: set[int]) -> None:
        super().__init__(array)
        self.bad = bad

    def take(self, rows: Any) -> Any:
        if torn := self.bad & set(rows):
            raise OSError(f"row {min(torn)} is torn")
        return super().take(rows)


def torn(*bad: int) -> Any:
    return interp.batched(interp.load(PROGRAM), Torn(X, set(bad)), targets=Y)


@pytest.mark.parametrize("bad", [(10,), (0, 1, 31), (0, 3, 14, 15)])
def test_batches_that_cannot_be_read_are_listed_in_any_number_of_shards(
    bad: tuple[int, ...], tmp_path: Path
) -> None:
    how = {**HOW, "skip_unreadable": True}
    one = interp.survey(PROGRAM, torn(*bad), shard=(0, 1), **how)
    numbers = sorted({k // 3 for k in bad})
    assert [x.samples for x in one.unread] == [(3 * k, min(SAMPLES, 3 * k + 3)) for k in numbers]
    assert one.unread[0].reason == f"OSError: row {bad[0]} is torn"
    assert one.samples == sum(min(SAMPLES, 3 * k + 3) - 3 * k for k in range(11) if k not in numbers)
    assert one.partial
    assert f"not read: samples {3 * numbers[0]} to" in repr(one)
    assert f"Not read: samples {3 * numbers[0]} to" in one.report(tmp_path / "one.html").read_text()
    for n in (2, 5, 13):
        shards = [interp.survey(PROGRAM, torn(*bad), shard=(k, n), **how) for k in range(n)]
        assert content(merge_surveys(shards[::-1]), tmp_path) == content(one, tmp_path)


def test_a_batch_that_cannot_be_read_is_an_error_otherwise() -> None:
    with pytest.raises(OSError, match="row 10 is torn"):
        interp.survey(PROGRAM, torn(10))
    with pytest.raises(OSError, match="is torn"):
        interp.survey(PROGRAM, torn(*range(SAMPLES)), skip_unreadable=True)


@pytest.mark.parametrize("given", [(2, 2), (-1, 2), (0, 0)])
def test_shards_that_there_are_not(given: tuple[int, int]) -> None:
    with pytest.raises(Malformed, match=r"shard -?\d/\d"):
        interp.survey(PROGRAM, data(), shard=given)


# The command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.mlir").write_text(PROGRAM)
    np.save(tmp_path / "x.npy", X)
    return tmp_path


def test_the_command_surveys_shards_and_merges_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, x = str(folder / "m.mlir"), str(folder / "x.npy")
    names = [str(folder / f"part{k}.json") for k in range(3)]
    for k in (2, 0):
        assert main(["survey", program, x, "--shard", f"{k}/3", "-o", names[k], "--rates"]) == 0
    capsys.readouterr()
    assert main(["survey", "--status", names[0], names[2]]) == 1
    assert "missing: shard 1/3" in capsys.readouterr().out
    assert main(["survey", "--merge", names[0], names[2]]) == 2
    assert "missing shard 1/3: samples 9 to 20" in capsys.readouterr().err
    assert main(["survey", program, x, "--shard", "1/3", "-o", names[1], "--rates"]) == 0
    assert main(["survey", "--status", *names]) == 0
    assert "32 of 32 samples" in capsys.readouterr().out
    merged, one = folder / "merged.json", folder / "one.json"
    assert main(["survey", "--merge", *names, "-o", str(merged), "--csv", str(folder / "m.csv")]) == 0
    assert "32 samples" in capsys.readouterr().out
    assert main(["survey", program, x, "-o", str(one), "--rates"]) == 0
    assert merged.read_bytes() == one.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--merge", "part", "--ranking"], "--ranking with --merge"),
        (["--status", "part", "--limit", "3"], "--limit with --status"),
        (["--merge", "part", "--status"], "--status with --merge"),
        (["m", "x.npy", "--shard", "3/3"], "expected I/N"),
        (["m", "x.npy", "--seed", "3"], "--seed without --sample"),
        (["m", "x.npy", "--shard", "0/3"], "without a file"),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["survey", *words])
    except SystemExit as error:
        status = error.code  # type: ignore[assignment]
    assert status == 2
    assert said in capsys.readouterr().err
