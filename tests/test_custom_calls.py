"""Custom calls of a user's own, and those of exporters that mean nothing to the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import interp
from interp.engine.registry import REGISTERED

X = np.float32([1.0, -2.0, 3.5])
QUANTIZED = "!quant.uniform<i8:f32, 0.5:3>"
PROGRAM = """func.func @main(%x: tensor<3x{0}>) -> tensor<3x{0}> {{
  %y = stablehlo.custom_call @mine(%x) {{backend_config = "2"}} : (tensor<3x{0}>) -> tensor<3x{0}>
  %z = stablehlo.add %y, %x : tensor<3x{0}>
  return %z : tensor<3x{0}>
}}"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    REGISTERED.pop("mine", None)


def test_a_registered_function_gives_a_target_its_meaning() -> None:
    module = interp.load(PROGRAM.format("f32"))
    with pytest.raises(
        interp.Unsupported, match=r"(?s)custom_call @mine is not known.*interp\.register\('mine'"
    ):
        interp.run(module, X)
    interp.register("mine", lambda x, op: x * np.float32(op["backend_config"]))
    wanted = (X * 3).tobytes()
    assert interp.run(module, X)[0].storage.tobytes() == wanted
    assert np.asarray(interp.compile(module)(X)[0]).tobytes() == wanted
    interp.register("mine", np.negative)
    assert interp.run(module, X)[0].storage.tobytes() == (X - X).tobytes()


def test_a_registered_function_sees_stored_numbers() -> None:
    module = interp.load(PROGRAM.format(QUANTIZED))
    seen = []
    interp.register("mine", lambda x: seen.append(x) or np.int64(x))
    (result,) = interp.run(module, np.int8([3, 4, 127]))
    assert [(x.dtype, x.tolist()) for x in seen] == [(np.int8, [3, 4, 127])]
    assert result.storage.tolist() == [3, 5, 127]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x: x.sum(), "got ()"),
        (lambda x: x.astype(np.float64), "float64"),
        (lambda x: (x, x), "returned 2 results"),
        (lambda x: None, "returned 0 results"),
        (lambda x: x.astype(np.int16) + 1000, "out of the range"),
    ],
)
def test_a_result_of_another_type_is_refused(function: Callable[..., Any], said: str) -> None:
    interp.register("mine", function)
    is_integer = "range" in said
    module, x = interp.load(PROGRAM.format("i8" if is_integer else "f32")), np.int8(X) if is_integer else X
    with pytest.raises(interp.Malformed) as caught:
        interp.run(module, x)
    assert "@mine" in caught.value.verdict
    assert said in str(caught.value)
    assert caught.value.where.line == 2


@pytest.mark.parametrize(("target", "function"), [("", np.negative), (3, np.negative), ("mine", 3)])
def test_what_cannot_be_registered_is_refused(target: Any, function: Any) -> None:
    with pytest.raises(interp.Malformed):
        interp.register(target, function)
    assert "mine" not in REGISTERED


@pytest.mark.parametrize("target", ["annotate_device_placement", "Sharding"])
def test_annotations_for_devices_are_identities(target: str) -> None:
    module = interp.load(PROGRAM.format("f32").replace("@mine", f"@{target}"))
    assert interp.run(module, X)[0].storage.tolist() == (X * 2).tolist()
