"""Surveys on Ray and on Dask: a worker that is killed, a slow one, a batch that cannot be read.

The engines are optional; each test is skipped where its engine is not installed.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "docs" / "examples"))

Q = "!quant.uniform<i8:f32, 0.5>"
PROGRAM = f"""func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {{
  %q = stablehlo.uniform_quantize %x : (tensor<3x4xf32>) -> tensor<3x4x{Q}>
  %d = stablehlo.uniform_dequantize %q : (tensor<3x4x{Q}>) -> tensor<3x4xf32>
  %t = stablehlo.tanh %d : tensor<3x4xf32>
  return %t : tensor<3x4xf32>
}}"""
SHARDS, SAMPLES = 5, 60
UNREADABLE, KILLED, SLOW = 25, 34, 50  # samples: of shard 2, of shard 2, and of shard 4
pytestmark = pytest.mark.slow("starts a cluster of several processes")


def make_samples(folder: Path) -> Path:
    """Write a folder of samples, one file each, of which one is damaged."""
    samples = folder / "samples"
    samples.mkdir()
    for k, x in enumerate(np.random.default_rng(1).normal(0, 40, (SAMPLES, 4)).astype(np.float32)):
        np.save(samples / f"{k:03}.npy", x)
    (samples / f"{UNREADABLE:03}.npy").write_bytes(b"nothing")
    return samples


def shard_survey(samples: Path, faults: Path | None) -> Callable[[int, int, Path | None], interp.Survey]:
    """Return what surveys a shard; with `faults`, a folder, workers are killed and slow, each once."""

    def survey_shard(k: int, n: int, file: Path | None) -> interp.Survey:
        (column,) = interp.columns(samples)

        class Faulty:
            def __len__(self) -> int:
                return len(column)

            def take(self, rows: Any) -> Any:
                if faults and KILLED in rows and not (faults / "killed").exists():
                    (faults / "killed").write_text(str(os.getpid()))
                    os.kill(os.getpid(), signal.SIGKILL)
                if faults and SLOW in rows:
                    (faults / "slow").touch()
                    time.sleep(1)
                return column.take(rows)

        module = interp.load(PROGRAM)
        batches = interp.batched(module, Faulty())
        return interp.survey(module, batches, shard=(k, n), save=file, skip_unreadable=True, rates=True)

    return survey_shard


def judge(found: interp.Survey, samples: Path, folder: Path) -> None:
    """Compare with one process, bit for bit, and look at the samples that were left out."""
    whole = shard_survey(samples, None)(0, 1, None)
    files = [interp.save_survey(x, folder / f"{name}.json") for x, name in ((found, "a"), (whole, "b"))]
    assert files[0].read_bytes() == files[1].read_bytes()
    (unread,) = found.unread
    assert unread.samples == (24, 27)
    assert f"{UNREADABLE:03}.npy" in unread.reason
    assert "not a .npy" in unread.reason
    assert found.samples == SAMPLES - 3
    assert (folder / "killed").exists()
    assert (folder / "slow").exists()


@pytest.fixture
def python_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers import the package and the examples."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "docs" / "examples")]))


@pytest.mark.usefixtures("python_path")
def test_ray_gives_the_bits_of_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    from on_ray import survey_on_ray

    samples = make_samples(tmp_path)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = survey_on_ray(shard_survey(samples, tmp_path), SHARDS, tmp_path)
        judge(found, samples, tmp_path)
    finally:
        ray.shutdown()


@pytest.mark.usefixtures("python_path")
def test_dask_gives_the_bits_of_one_process(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    from on_dask import survey_on_dask

    samples = make_samples(tmp_path)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = survey_on_dask(client, shard_survey(samples, tmp_path), SHARDS, tmp_path)
        judge(found, samples, tmp_path)
