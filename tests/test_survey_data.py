"""Data as users have it: columns of every kind give the same survey, and at most two batches are alive."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.surveys.batches import Batch, draw
from interp.apps.surveys.columns import columns
from spec.errors import Malformed

PROGRAM = """func.func @main(%x: tensor<3x2x2xf32>) -> tensor<3x2x2xf32> {
  %q = stablehlo.uniform_quantize %x : (tensor<3x2x2xf32>) -> tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>
  %d = stablehlo.uniform_dequantize %q : (tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x2xf32>
  return %d : tensor<3x2x2xf32>
}"""
SAMPLES = 200
X = np.random.default_rng(3).normal(0, 20, (SAMPLES, 2, 2)).astype(np.float32)
Y = np.arange(SAMPLES) % 2


def survey_of(x: Any, **choice: Any) -> interp.Survey:
    return interp.survey(PROGRAM, interp.batched(interp.load(PROGRAM), x, **choice), shard=(0, 1))


@pytest.fixture(scope="module")
def expected() -> interp.Survey:
    return survey_of(X)


# Every kind of file and data set


def npz(folder: Path) -> Any:
    np.savez(folder / "x.npz", first=X[:, 0, 0], x=X)
    return columns(folder / "x.npz", "x")


def packed(folder: Path) -> Any:
    np.savez_compressed(folder / "x.npz", x=X)
    return columns(folder / "x.npz")


def fortran(folder: Path) -> Any:
    np.savez(folder / "x.npz", x=np.asfortranarray(X))
    return columns(folder / "x.npz")


def npy(folder: Path) -> Any:
    np.save(folder / "x.npy", X)
    return columns(str(folder / "x.npy"))


def folder_of_npy(folder: Path) -> Any:
    for k, x in enumerate(X):
        np.save(folder / f"{k:04}.npy", x)
    return columns(folder)


def folder_of_npz(folder: Path) -> Any:
    for k, x in enumerate(X):
        np.savez(folder / f"{k:04}.npz", x=x, y=Y[k])
    return columns(folder, "x")


def zarr_array(folder: Path) -> Any:
    zarr = pytest.importorskip("zarr", reason="Zarr is not installed")
    zarr.create_array(folder / "x.zarr", data=X, chunks=(16, 2, 2))
    return columns(folder / "x.zarr")


def zarr_group(folder: Path) -> Any:
    zarr = pytest.importorskip("zarr", reason="Zarr is not installed")
    group = zarr.open_group(folder / "x.zarr", mode="w")
    group.create_array("x", data=X, chunks=(7, 2, 2))
    group.create_array("y", data=Y)
    return columns(group, "x")


def parquet(folder: Path) -> Any:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    table = arrow.table({"y": Y, "x": arrow.array(X.tolist(), arrow.list_(arrow.list_(arrow.float32())))})
    parquet.write_table(table, folder / "x.parquet", row_group_size=70)
    return columns(folder / "x.parquet", "x")


def hugging_face(folder: Path) -> Any:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    rows = datasets.Dataset.from_dict({"x": X.tolist(), "y": Y.tolist()}).with_format("numpy")
    return columns(rows, "x")


def grain(folder: Path) -> Any:
    found = pytest.importorskip("grain", reason="Grain is not installed")
    return columns(found.MapDataset.source(X).map(lambda x: {"x": x}), "x")


class Pairs:
    """A data set as PyTorch defines it: pairs by number."""

    def __len__(self) -> int:
        return SAMPLES

    def __getitem__(self, k: int) -> tuple[np.ndarray, int]:
        return X[k], int(Y[k])


def pairs(folder: Path) -> Any:
    return columns(Pairs(), "0")


KINDS: list[Callable[[Path], Any]] = [
    npz,
    packed,
    fortran,
    npy,
    folder_of_npy,
    folder_of_npz,
    zarr_array,
    zarr_group,
    parquet,
    hugging_face,
    grain,
    pairs,
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_survey_is_the_same_whatever_the_data_come_in(
    kind: Callable[[Path], Any], tmp_path: Path, expected: interp.Survey
) -> None:
    (column,) = kind(tmp_path)
    found = survey_of(column)
    assert len(column) == SAMPLES
    assert repr(found) == repr(expected)
    assert found.part == expected.part  # the same digest of the samples
    for rows in ([5, 6, 7], [7, 5, 199, 0], [130, 131, 20]):
        assert np.array_equal(column.take(rows), X[rows])
    drawn = survey_of(column, sample=20, seed=1)
    assert drawn.part == survey_of(X, sample=20, seed=1).part


def test_a_memory_map_reads_no_more_than_its_batches(tmp_path: Path) -> None:
    (column,) = npz(tmp_path)
    assert isinstance(column.array, np.memmap)
    assert column.take([1, 2]).base is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("x.npy", "No such file"),
        ("x.parquet", "No such file|pyarrow is not installed"),
        ("nothing", "no data set"),
        (3, "no columns in"),
    ],
)
def test_what_is_no_data_set_is_said(given: Any, said: str) -> None:
    with pytest.raises((Malformed, interp.Unsupported), match=said):
        columns(given)


def test_damaged_files_and_other_names_are_said(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"PK\3\4 nothing")
    with pytest.raises(Malformed, match=r"not a \.npz file"):
        columns(tmp_path / "x.npz")
    np.save(tmp_path / "x.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(Malformed, match=r"not a \.npy file"):
        columns(tmp_path / "x.npy")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(Malformed, match="no samples in this folder"):
        columns(empty)
    with pytest.raises(Malformed, match="no column 'z'"):
        columns(Pairs(), "z")


# Memory


MOST = 1  # batches alive, the one that is made included: what its maker keeps comes on top


class Counting:
    """An iterator of batches that knows how many of them are alive, and the most that ever were."""

    def __init__(self, number: int) -> None:
        self.number, self.alive, self.most, self.made = number, 0, 0, 0

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        for k in range(self.number):
            yield (self.make(k),)

    def make(self, k: int) -> np.ndarray:
        x = X[3 * k : 3 * k + 3].copy()
        self.made, self.alive = self.made + 1, self.alive + 1
        self.most = max(self.most, self.alive)
        weakref.finalize(x, self.free)
        return x

    def free(self) -> None:
        self.alive -= 1


@pytest.mark.parametrize("shard", [None, (0, 1), (1, 3), (2, 3)])
@pytest.mark.parametrize("more", [{}, {"ranking": True, "sums": True, "rates": True}])
def test_at_most_two_batches_of_an_iterator_are_alive(
    shard: tuple[int, int] | None, more: dict[str, Any]
) -> None:
    gc.disable()  # what only the collector frees is not let go in time
    try:
        counting = Counting(20)
        found = interp.survey(PROGRAM, counting, shard=shard, **more)
        assert counting.made == 20
        assert counting.most <= MOST
        assert found.samples == (60 if shard in (None, (0, 1)) else 21 if shard == (1, 3) else 18)
    finally:
        gc.enable()


@pytest.mark.parametrize("shard", [None, (0, 1), (1, 3), (2, 3)])
def test_at_most_two_batches_of_a_column_are_alive(shard: tuple[int, int] | None) -> None:
    counting = Counting(0)

    class Rows:
        def __len__(self) -> int:
            return 60

        def take(self, rows: Any) -> np.ndarray:
            return counting.make(rows[0] // 3)

    gc.disable()
    try:
        interp.survey(PROGRAM, interp.batched(interp.load(PROGRAM), Rows()), shard=shard)
        assert counting.made >= 6
        assert counting.most <= MOST
    finally:
        gc.enable()


# Some of the samples


def test_the_first_samples() -> None:
    assert repr(survey_of(X, limit=10)) == repr(survey_of(X[:10]))
    assert survey_of(X, limit=10_000).samples == SAMPLES


def test_drawn_samples_keep_their_numbers() -> None:
    found = survey_of(X, sample=30, seed=5)
    numbers = draw(SAMPLES, 30, 5)
    assert found.samples == 30
    assert len(set(numbers)) == 30
    layer = found.layers[0]
    worst = max(
        numbers, key=lambda k: np.abs(X[k] - interp.run(PROGRAM, np.stack([X[k]] * 3))[0].storage[0]).max()
    )
    assert layer.worst is not None
    assert layer.worst.samples == (worst, worst)
    assert found.part != survey_of(X, sample=30, seed=6).part


def test_a_draw_is_uniform_and_the_same_everywhere() -> None:
    assert sorted(draw(10, 10, 0)) == list(range(10))
    rng = Random(0)  # the first number is one multiplication, which anybody can repeat
    assert draw(1000, 1, 0) == [int(rng.random() * 1000)] == [844]
    counts = np.zeros((5, 5))
    for seed in range(4000):
        for place, number in enumerate(draw(5, 5, seed)):
            counts[place, number] += 1
    # Chi-squared with 24 degrees of freedom: beyond 60 once in 10,000 for fair draws.
    assert ((counts - 800) ** 2 / 800).sum() * 4 / 5 < 60


@pytest.mark.parametrize(("choice", "said"), [({"sample": 201}, "200 samples"), ({"limit": 0}, "limit=0")])
def test_samples_that_there_are_not(choice: dict[str, int], said: str) -> None:
    with pytest.raises(Malformed, match=said):
        survey_of(X, **choice)


def test_a_batch_says_its_numbers() -> None:
    batches = interp.batched(interp.load(PROGRAM), X, sample=4, seed=0)
    last = batches[1]
    assert isinstance(last, Batch)
    assert (last.count, list(last.numbers or ())) == (1, draw(SAMPLES, 4, 0)[3:])
    assert [len(batches), len(batches[0:2]), batches.samples] == [2, 2, 4]


# The command


@pytest.mark.parametrize("kind", [npy, npz, folder_of_npy, folder_of_npz, parquet, zarr_array, zarr_group])
def test_the_command_reads_them(
    kind: Callable[[Path], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], expected: interp.Survey
) -> None:
    (tmp_path / "data").mkdir()
    kind(tmp_path / "data")
    program = tmp_path / "m.mlir"
    program.write_text(PROGRAM)
    folders = (folder_of_npy, folder_of_npz)
    file = f"{tmp_path}/data/" if kind in folders else str(next((tmp_path / "data").iterdir()))
    assert main(["survey", str(program), file]) == 0
    assert capsys.readouterr().out.strip() == repr(expected)
    if kind is folder_of_npz:
        assert main(["survey", str(program), f"{file}:x", "--limit", "30"]) == 0
        assert "30 samples" in capsys.readouterr().out
