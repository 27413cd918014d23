"""Profiles of hardware: results that GPUs recorded, names wherever a schedule is taken, and their errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.__main__ import main
from spec.accumulation import Accumulation
from spec.errors import Malformed
from spec.hardware import PROFILES, RECORDED
from tests.library.oracles.accumulated_by_hand import DOT
from tools.fp8_error import errors
from tools.recorded import Records, sets_of

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "testdata" / "foreign" / "tensor_cores.txt"
SETS = {f"{each.gpu} {each.form} {each.result}": each for each in sets_of(SAMPLE)}
TELLING = {name for name, each in SETS.items() if each.differs("star exact").any()}
product = DOT.format(m=2, k=64, n=2, lhs="f16", rhs="f16", result="f32")


def test_every_recorded_result_is_that_of_its_profile() -> None:
    """The sample has 48 sets; an exact sum, rounded once, gives other results for most of them."""
    assert len(SETS) == 48
    assert len(TELLING) > 30
    for name, each in SETS.items():
        assert not each.differs(each.profile).any(), name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("H100 E4M3 fp32", "left(32) fused(14) in f32 cut 13 toward zero"),
        ("A100 fp16 fp32", "left(8) fused(24) in f32"),
        ("H100 E4M3 fp16", "star fused(25) in f16"),
    ],
)
def test_another_accumulation_gives_other_results(name: str, other: str) -> None:
    assert SETS[name].differs(other).any()


def test_every_profile_reads_as_its_text_and_every_recorded_one_is_in_the_sample() -> None:
    for name, profile in PROFILES.items():
        assert Accumulation.parse(name) == Accumulation.parse(profile.text)
    recorded = {name for name, profile in PROFILES.items() if profile.source == RECORDED}
    assert recorded == {each.profile for each in SETS.values()}


def test_a_profile_is_a_schedule_in_python_and_as_a_command(tmp_path: Path) -> None:
    """On a V100 2^24 + 1 + 1 is 2^24: each product is cut below the largest exponent; not so on an H100."""
    m, x = interp.load(product), np.zeros((2, 64), np.float16)
    x[:, :4] = [4096, 1, 1, 0]
    y = np.zeros((64, 2), np.float16)
    y[:4] = [[4096] * 2, [1] * 2, [1] * 2, [0] * 2]
    for name, expected in (("nvidia.v100.f16", 2**24), ("nvidia.h100.f16", 2**24 + 2)):
        (out,) = interp.run(m, x, y, schedule=name)
        assert out.storage.tolist() == [[expected] * 2] * 2
        (other,) = interp.run(m, x, y, accumulator=name)
        assert other.storage.tolist() == out.storage.tolist()
    assert interp.trace(m, x, y, schedule="nvidia.v100.f16").results[0].storage[0, 0] == 2**24
    (tmp_path / "m.mlir").write_text(product)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    files = [str(tmp_path / name) for name in ("m.mlir", "x.npy", "y.npy")]
    assert main(["run", *files, "--schedule", "nvidia.v100.f16", "--save", str(tmp_path)]) == 0
    assert np.load(tmp_path / "out0.npy")[0, 0] == 2**24
    with pytest.raises(Malformed, match=r"nvidia\.h100\.f16, "):
        interp.run(m, x, y, schedule="nvidia.h100.fp16")


def test_promotion_bounds_the_error_of_long_sums() -> None:
    """64 f8E4M3FN products a result: 13 bits lose more the longer the sum is, unless promoted every 128."""
    plain, promoted, blackwell, single = errors(1024, True, np.random.default_rng(0))
    assert single <= blackwell < 1e-6
    assert 1e-4 < promoted < 1e-3 < 10 * promoted < plain


def test_records_are_read_as_they_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "model_validation" / "V100" / "fp16"
    folder.mkdir(parents=True)
    for name, text in (("a", "3f800000 40000000 0 0"), ("b", "3f800000 40400000 0 0")):
        (folder / f"{name}_V100_fp16.txt").write_text(text + " \n")
    for name, number in (("c_V100_fp32", 0.5), ("d_V100_fp32", 7.5)):
        (folder / f"{name}.txt").write_text(f"{np.float32(number).view(np.uint32):032b}\n")
    (read,) = sets_of(tmp_path)
    assert isinstance(read, Records)
    assert (read.profile, read.a.tolist(), read.c.tolist()) == ("nvidia.v100.f16", [[1, 2, 0, 0]], [0.5])
    assert read.sums("left").tolist() == read.d.tolist() == [7.5]
