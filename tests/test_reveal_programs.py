"""`reveal` states nothing that the program itself, run along the statement, does not give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import interp
from tests.library.devices.float_sums import left
from tests.library.oracles.accumulated_by_hand import DOT

SUM = """func.func @main({args}) -> tensor<4x{type}> {{
  %z = stablehlo.constant dense<{zero}> : tensor<{type}>
  {before}
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<4x6x{type}>, tensor<{type}>) -> tensor<4x{type}>
  {after}
}}"""
END = "return %s : tensor<4xf32>"
X = "%x: tensor<4x6xf32>"
Device = Callable[..., Any]


def program(before: str = "", args: str = "%v: tensor<4x6xf32>", **parts: Any) -> Any:
    return interp.load(
        SUM.format(args=args, before=before, **{"type": "f32", "zero": 0.0, "after": END} | parts)
    )


def reveal(module: Any, device: Device, check: int = 60) -> Any:
    return interp.reveal(module, device, check=check)


def elementwise(op: str) -> Any:
    return program(f"%v = stablehlo.{op} : tensor<4x6xf32>", X)


HALVES = program(
    "%k = stablehlo.constant dense<0.5> : tensor<4x6xf32>\n%v = stablehlo.multiply %x, %k : tensor<4x6xf32>",
    X,
)
BIASED = program(
    args="%v: tensor<4x6xf32>, %b: tensor<4xf32>",
    after="%r = stablehlo.add %s, %b : tensor<4xf32>\nreturn %r : tensor<4xf32>",
)


@pytest.mark.parametrize(
    ("module", "device"),
    [
        (BIASED, lambda x, b: left(np.concatenate([b[:, None], x], axis=1))),
        (HALVES, lambda x: left(x) * np.float32(0.5)),
        (elementwise("reduce_precision %x, format = e8m7"), left),
    ],
    ids=["bias first", "half after", "not cut"],
)
def test_what_is_around_the_sum_counts(module: Any, device: Device) -> None:
    found = reveal(module, device)
    assert "the program along it has others" in found.reason


def test_what_is_around_the_sum_is_executed() -> None:
    assert repr(reveal(BIASED, lambda x, b: left(x) + b).accumulation) == "left"
    found = reveal(HALVES, lambda x: left(x * np.float32(0.5)))
    assert repr(found.accumulation) == "left without init"


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (elementwise("multiply %x, %x"), "not those of an argument"),
        (elementwise("abs %x"), "not those of an argument"),
        (elementwise("exponential %x"), "not those of an argument"),
        (program(zero=1.0), "does not start from zero"),
        (
            program("%v = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>", X, type="i32", zero=0,
                    after="return %s : tensor<4xi32>"),
            "i32 of floats",
        ),
    ],
    ids=["squares", "abs", "exp", "init", "to integers"],
)  # fmt: skip
def test_sums_of_other_numbers_are_unsupported(module: Any, reason: str) -> None:
    with pytest.raises(interp.Unsupported, match=reason):
        reveal(module, left)


# Devices that differ for few inputs.


def product(k: int, type: str, result: str) -> Any:
    return interp.load(DOT.format(m=4, k=k, n=2, lhs=type, rhs=type, result=result))


def pairs(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add pairs in i16, which saturates for two products of -128 alone."""
    products = x[:, :, None].astype(int) * y[None]
    return np.clip(products[:, ::2] + products[:, 1::2], -(2**15), 2**15 - 1).sum(axis=1).astype(np.int32)


def from_last(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add from the last product in i18, which saturates for some signs of 30 large products alone."""
    total = np.zeros((x.shape[0], y.shape[1]), int)
    for k in range(x.shape[1])[::-1]:
        total = np.clip(total + x[:, k, None].astype(int) * y[None, k], -(2**17), 2**17 - 1)
    return total.astype(np.int32)


def test_integers_are_extreme_on_both_sides() -> None:
    assert not reveal(product(8, "i8", "i32"), pairs).ok
    found = reveal(product(30, "i8", "i32"), from_last)
    assert repr(found.accumulation) == "right in i18 saturate"
    assert not found.unseen


def test_an_order_of_8_bit_floats_is_told_by_products_of_all_exponents() -> None:
    def device(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        a, b = x.astype(np.float32), y.astype(np.float32)
        return np.stack([left((a * column)[:, ::-1]) for column in b.T], axis=1)

    found = reveal(product(16, "f8E4M3FN", "f32"), device, 240)
    assert repr(found.accumulation) == "right"
    assert not found.unseen


def test_results_are_taken_in_8_bit_floats() -> None:
    module = interp.load(str(program()).replace("f32", "f8E5M2"))
    assert "units" in reveal(module, left).reason


def test_vectors_of_subnormal_numbers_alone_are_tried() -> None:
    def rounded(x: np.ndarray) -> np.ndarray:
        """Round to 18 bits below the largest, which has an exponent of its own if it is subnormal."""
        unit = 2.0 ** (np.frexp(np.abs(x).max(axis=1, keepdims=True))[1].astype(float) - 18)
        return (np.rint(x / unit) * unit).sum(axis=1).astype(np.float32)

    assert not reveal(program(), rounded, 240).ok


def test_a_device_that_changes_later_is_refused_for_that() -> None:
    calls = iter(range(10**6))
    found = reveal(program(), lambda x: left(x if next(calls) < 9 else x[:, ::-1]))
    assert "called again" in found.reason


def test_one_and_two_numbers_and_big_endian_results() -> None:
    for n in (1, 2):
        module = interp.load(str(program()).replace("4x6x", f"4x{n}x"))
        found = reveal(module, lambda x: (0 + left(x)).astype(">f4"))
        assert repr(found.accumulation) == "left"


def test_a_scale_that_rounds_units_is_refused() -> None:
    mean = program(after="%k = stablehlo.constant dense<6.0> : tensor<4xf32>\n"
                   "%r = stablehlo.divide %s, %k : tensor<4xf32>\nreturn %r : tensor<4xf32>")  # fmt: skip
    assert "units" in reveal(mean, lambda x: left(x / np.float32(6))).reason


def test_integers_that_are_converted_to_floats() -> None:
    before = "%v = stablehlo.convert %x : (tensor<4x6xi32>) -> tensor<4x6xf32>"
    module = program(before, "%x: tensor<4x6xi32>")
    found = reveal(module, lambda x: left(x.astype(np.float32)[:, ::-1]))
    assert repr(found.accumulation) == "right"
    narrow = program(before.replace("i32", "i8"), "%x: tensor<4x6xi8>")
    found = reveal(narrow, lambda x: x.sum(axis=1, dtype=np.int64).astype(np.float32))
    assert found.unseen == ("the order: every order has the same results for these types and so many leaves",)


def test_results_that_also_add_padding_are_left_out() -> None:
    module = interp.load("""func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = "stablehlo.reduce_window"(%x, %z) ({ ^b(%a: tensor<f32>, %c: tensor<f32>):
        %d = stablehlo.add %a, %c : tensor<f32>
        stablehlo.return %d : tensor<f32>
      }) {window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}
        : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
      return %s : tensor<6xf32>
    }""")
    found = reveal(module, np.cumsum)
    assert repr(found.accumulation) == "left without init"
    assert found.unseen == ("5 results that also add padding",)
