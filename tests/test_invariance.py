"""`invariant`: made-up devices that add a row otherwise from a size on, by row, by shards, or never."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import interp
from spec.accumulation import Accumulation
from spec.errors import Malformed, Unsupported
from tests.library.builders import BATCH
from tests.library.devices.float_sums import left

ROWS = BATCH.replace("x4x", "x12x")
X = np.zeros((2, 12), np.float32)


def right(x: np.ndarray) -> np.ndarray:
    return left(x[:, ::-1])


def switching(x: np.ndarray) -> np.ndarray:
    """Add from the left up to 5 rows, else from the right."""
    return left(x) if len(x) <= 5 else right(x)


def asked(device: Any, **options: Any) -> Any:
    return interp.invariant(ROWS, impl=device, **{"sizes": (1, 2, 9), "check": 24, **options})


def test_a_row_that_is_added_alike() -> None:
    found = asked(left)
    assert found.ok
    assert found.verdict == "invariant"
    assert "invariant: left" in found.statement
    assert [call.name for call in found.calls] == ["1 row", "2 rows", "9 rows"]


def test_the_first_size_where_it_changes_and_both_accumulations() -> None:
    found = asked(switching)
    assert not found.ok
    assert found.change == ("5 rows", "6 rows")
    assert [repr(x) for x in found.accumulations] == ["left without init", "right without init"]
    assert json.loads(found.to_json())["change"] == ["5 rows", "6 rows"]
    assert [row["call"] for row in found.table()] == [call.name for call in found.calls]


def test_bits_are_predicted() -> None:
    found, rng = asked(switching), np.random.default_rng(0)
    x = rng.normal(size=(200, 12)).astype(np.float32)
    same = left(x) == right(x)
    assert found.predict(x, numbers=(1, 9)).tolist() == same.tolist()
    assert 0 < same.sum() < 200
    assert found.predict(x, numbers=(1, 2)).all()
    with pytest.raises(Unsupported, match="expected one of 1, 2"):
        found.predict(x, numbers=(1, 8))


def test_rows_of_one_call_that_are_added_in_two_ways() -> None:
    def alternating(x: np.ndarray) -> np.ndarray:
        return np.where(np.arange(len(x)) % 2 == 0, left(x), right(x))

    found = asked(alternating, sizes=(1, 4))
    assert found.change == ("4 rows", "4 rows")
    assert "rows in several ways" in found.statement


def test_shards() -> None:
    def halves(x: np.ndarray) -> np.ndarray:
        return left(x[:, :6]) + left(x[:, 6:])

    found = interp.invariant(ROWS, X, impl=left, sizes=[1], shards={1: left, 2: halves}, check=24)
    assert found.change == ("1 shard", "2 shards")
    assert found.accumulations[1].tree(12) == Accumulation.parse("blocks(6) without init").tree(12)


def test_what_is_not_stated_is_not_known() -> None:
    found = asked(lambda x: np.sort(x, axis=1).sum(axis=1))
    assert found.verdict == "unknown"
    assert found.reason.startswith("1 row: ")


@pytest.mark.slow("compiles with XLA")
def test_a_function_of_jax_is_its_own_implementation() -> None:
    """A dense layer of one row and of several, as jax #26795 has it; bits are as predicted, equal or not."""
    import jax

    def dense(x: Any, w: Any) -> Any:
        return x @ w

    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 64)).astype(np.float32), rng.normal(size=(64, 8)).astype(np.float32)
    found = interp.invariant(dense, x, w, sizes=[1, 2], check=12)
    assert [call.name for call in found.calls] == ["1 row", "2 rows"]
    one, two = (np.asarray(jax.jit(dense)(rows, w))[0] for rows in (x[:1], x))
    assert found.predict(x[:1], w, numbers=(1, 2))[0].tolist() == (one == two).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": []}, "no sizes of a batch"),
        ({"sizes": [0]}, "no sizes of a batch"),
        ({"shards": {2: left}}, "shards without arguments"),
    ],
)
def test_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        asked(left, **options)
    for args, what in (((), "no arguments"), ((np.float32(1),), "argument 0 has no axis 0")):
        with pytest.raises(Malformed, match=what):
            interp.invariant(lambda x: x, *args)
    with pytest.raises(Malformed, match="every size of the program is known"):
        interp.invariant(ROWS.replace("?", "3"), impl=left)
