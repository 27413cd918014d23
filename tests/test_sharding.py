"""A compiled program over many devices: the declared order, so the bits of one device, however x is split."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import interp
from spec.ir import Module
from tests.library.builders import quantized, reduction

ROOT = Path(__file__).parent.parent
Split = Literal["batch", "reduced"]

# Accumulators: one that saturates, so that the order counts; one whose sums are integer sums in any schedule.
SATURATING, EXACT = "i8:f32, 0.7:5", "i32:f32, 0.3:3"
CASES: dict[int, list[tuple[str, str, Split]]] = {
    1: [
        (SATURATING, "left", "batch"),
        (SATURATING, "left", "reduced"),
        (SATURATING, "balanced", "reduced"),
        (SATURATING, "blocks(4)", "reduced"),
        (EXACT, "left", "reduced"),
    ],
    2: [(SATURATING, "left", "batch"), (SATURATING, "left", "reduced"), (EXACT, "left", "reduced")],
}


def program(accumulator: str) -> Module:
    """The sum of each row; its elements have a range to be checked on every device."""
    narrow, wide = quantized("i8<-127:127>:f32, 0.3:3"), quantized(accumulator)
    return reduction("reduce", f"8x16x{narrow}", narrow, wide, f"8x{wide}", "dimensions = array<i64: 1>")


def arguments() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    return rng.integers(-127, 128, (8, 16)).astype(np.int8), np.array(3, np.int8)


def on_one_device(accumulator: str, tree: str) -> list[int]:
    (result,) = interp.run(program(accumulator), *arguments(), schedule=tree)
    return result.storage.tolist()


def test_the_order_counts_where_the_accumulator_saturates() -> None:
    """The test below could not fail otherwise: sums per device are a tree of blocks."""
    trees = ("left", "balanced", "blocks(2)", "blocks(4)")
    assert len({tuple(on_one_device(SATURATING, tree)) for tree in trees}) == len(trees)


@pytest.mark.slow("three processes import JAX and compile")
@pytest.mark.parametrize("processes", [1, 2])
def test_any_split_gives_the_bits_of_one_device(processes: int, tmp_path: Path) -> None:
    """Eight virtual devices in one process; two processes of two, joined by `jax.distributed`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [sys.executable, "-m", "tests.library.children.sharded_child", str(processes)]
    files = [tmp_path / f"{k}.json" for k in range(processes)]
    children = [
        subprocess.Popen([*words, str(k), port, str(file)], cwd=ROOT, stdout=subprocess.DEVNULL)
        for k, file in enumerate(files)
    ]
    try:
        assert [child.wait(300) for child in children] == [0] * processes
    finally:
        for child in children:
            child.kill()
    found = [json.loads(file.read_text()) for file in files]
    for k, (accumulator, tree, split) in enumerate(CASES[processes]):
        expected = on_one_device(accumulator, tree)
        rows = [held for cases in found for held in cases[k]]
        assert {row for (start, stop), _ in rows for row in range(start, stop)} == set(range(8)), split
        assert all(expected[start:stop] == elements for (start, stop), elements in rows), (tree, split)
