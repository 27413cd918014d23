"""`diagnose` names the deviation of made-up devices, and none for a device whose results are noise."""

from __future__ import annotations

from collections.abc import Callable

import devices
import numpy as np
import pytest

import interp
from interp.diagnosing.diagnosis import Diagnosis

Make = Callable[[], devices.Device]


def names(found: Diagnosis) -> list[str]:
    return [trial.name for trial in found.explanations]


@pytest.mark.parametrize("make", devices.DEVICES)
def test_a_device_with_one_deviation(make: Make) -> None:
    device = make()
    found = interp.diagnose(device.program, device.args, (device.results,))
    assert device.deviation in names(found)
    assert len(found.explanations) <= (17 if make is devices.clamped_once else 2)
    assert found.differing > 0
    assert found.ok


def test_a_declared_result_needs_no_explanation() -> None:
    device = devices.in_lanes()
    outs = interp.run(device.program, *device.args)
    found = interp.diagnose(device.program, device.args, outs)
    assert found.ok
    assert not found.tried
    assert "no difference: all 12 elements" in repr(found)


@pytest.mark.parametrize("make", [devices.wrapping, devices.in_blocks, devices.reading_integers])
def test_noise_has_no_explanation(make: Make) -> None:
    device, rng = make(), np.random.default_rng(0)
    (out,) = interp.run(device.program, *device.args)
    x = np.asarray(out).copy()
    if x.dtype.kind == "f":
        x += (rng.standard_normal(x.shape) * np.spacing(x) * 3).astype(x.dtype)
    else:
        x += rng.integers(-1, 2, x.shape).astype(x.dtype)
    found = interp.diagnose(device.program, device.args, (x,))
    assert not found.ok
    assert not found.explanations
    assert not found.untried
    assert sum(len(trial.deviations) == 2 for trial in found.tried) > 50
    assert "none found" in repr(found)
