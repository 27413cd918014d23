"""Tapes: runs of f32 operations in one call have the bits of their steps, whatever the layouts."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import interp
from interp.engine.evaluate import Listener
from interp.speed import taping
from spec.ir import Module
from tests.library.strategies.programs import Program
from tests.library.strategies.taped_programs import taped

pytest.importorskip("llvmlite", reason="it has no wheel here")
tape = pytest.importorskip("interp.speed.tape")


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Make tapes of single operations, too, and at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(taping, "LEAST", 1)
        patch.setattr(taping, "SOON", 0)
        yield


def bits(tensors: Any) -> list[bytes]:
    return [x.storage.tobytes() for x in tensors]


def by_steps(module: Module, *args: Any) -> list[bytes]:
    return bits(interp.run(module, *args, listeners=[Listener()]))


@given(taped())
def test_a_tape_has_the_bits_of_the_steps(program: Program) -> None:
    """Twice, as the memory of the first run is used again."""
    expected = by_steps(program.module, *program.args)
    for _ in range(2):
        assert bits(interp.run(program.module, *program.args)) == expected
