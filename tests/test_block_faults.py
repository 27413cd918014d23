"""`diagnose` names faults about scales per block, each of them and no other, and none of a right device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import interp
from interp.apps.diagnosing.block_faults import FAULTS, KINDS, may_have, with_fault
from spec.ir import Op
from spec.parameter_tables import table
from spec.types import parse_type
from tests.library.builders import operation
from tests.library.devices import devices_blocks as devices
from tests.library.devices.devices_blocks import (
    BEFORE,
    DROPPED,
    HALVED,
    NEXT,
    OTHER,
    POINT,
    POINT_BEFORE,
    RIGHT,
)

Make = Callable[[int], devices.Device]
FAULTY: dict[Make, list[devices.Fault]] = {
    devices.hybrid: [DROPPED, NEXT, BEFORE, HALVED, POINT, POINT_BEFORE],
    devices.static: [DROPPED, NEXT, BEFORE, OTHER, HALVED, POINT, POINT_BEFORE],
    devices.mx: [DROPPED, NEXT, BEFORE, OTHER, HALVED],
    devices.composite: [DROPPED, NEXT, BEFORE, OTHER, HALVED],
}
SEEDS = [
    pytest.param(k, marks=[pytest.mark.slow("three more seeds of every fault")] * (k > 0)) for k in range(4)
]


def names(device: devices.Device, results: np.ndarray) -> list[str]:
    found = interp.diagnose(device.program, device.args, (results,), seconds=None)
    return [trial.name for trial in found.explanations]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("make", "fault"),
    [(make, fault) for make, faults in FAULTY.items() for fault in faults],
    ids=lambda x: x.name if isinstance(x, devices.Fault) else x.__name__,
)
def test_a_fault_is_named_and_no_other(make: Make, fault: devices.Fault, seed: int) -> None:
    device = make(seed)
    assert names(device, device.run(fault)) == [fault.name]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", FAULTY, ids=lambda make: make.__name__)
def test_a_right_device_has_none(make: Make, seed: int) -> None:
    device = make(seed)
    found = interp.diagnose(device.program, device.args, (device.run(RIGHT),))
    assert found.ok
    assert (found.differing, found.explanations, found.tried) == (0, (), ())


def test_noise_is_no_fault_of_blocks() -> None:
    device = devices.hybrid(0)
    results = np.nextafter(device.run(NEXT), np.float32(0))
    found = interp.diagnose(device.program, device.args, (results,), seconds=None, limit=60)
    assert found.explanations == ()


def negation(type: str) -> Op:
    return operation("negate", [parse_type(type)], parse_type(type))


def test_one_fault_has_one_name() -> None:
    """Of two blocks, the next one is the one before; one block has no neighbour, and an odd one no half."""
    having = lambda type: [name for name in KINDS if may_have(name, negation(type))]
    two = having("tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25}}>>")
    assert two == [
        "scales per block left out",
        "scale of the next block",
        "blocks half as long",
        "blocks half as long, then the last",
        "blocks twice as long",
        "zero point of the next block",
    ]
    assert having("tensor<1x4x!quant.uniform<i8:f32:{1:4}, {{0.5:1}}>>") == ["scales per block left out"]
    odd = having("tensor<1x9x!quant.uniform<i8:f32:{1:3}, {{0.5, 0.25, 2.0}}>>")
    assert not {"blocks half as long", "zero point of the next block"} & {*odd}
    assert "scale of the block before" in odd
    assert having("tensor<1x4x!quant.uniform<i8:f32, 0.5>>") == []
    assert having("tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.5}}>>") == ["scales per block left out"]


def test_a_fault_of_one_value_has_a_name_where_several_have_blocks() -> None:
    op = negation("tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>")
    name = "scale of the next block"
    sides = [
        side for side in ("first operand", "second operand", "result") if may_have(f"{name}, {side}", op)
    ]
    assert sides == ["first operand", "result"]
    changed = with_fault(op, f"{name}, result")
    assert changed.operands == op.operands
    assert [table(changed.result.type).at((0, i))[0] for i in range(4)] == [0.25, 0.25, 0.5, 0.5]


def test_neighbours_along_another_dimension_have_a_name() -> None:
    op = negation("tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 4.0}}>>")
    name = "scale of the next block, dimension 0"
    assert may_have(name, op)
    assert not may_have("scale of the next block, dimension 1", op)
    assert table(with_fault(op, name).result.type).at((0, 3))[0] == 4.0
    assert set(KINDS) <= set(FAULTS)
