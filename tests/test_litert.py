"""LiteRT models have the bits of LiteRT's reference kernels: networks and operators of `testdata/litert`.

The models and their results are made by `tools/litert_networks.py` and `tools/litert_operators.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.litert.model import read_litert
from spec.accumulator import Reading

DATA = Path(__file__).resolve().parent.parent / "testdata" / "litert"
NETWORKS = sorted(path.stem for path in DATA.glob("*.tflite"))
OPERATORS = dict(np.load(DATA / "operators.npz"))
TITLES = sorted(key.removesuffix(".model") for key in OPERATORS if key.endswith("model"))


def is_same(ours: interp.Tensor, theirs: np.ndarray) -> bool:
    x = np.asarray(ours.storage)
    return x.dtype == theirs.dtype and x.shape == theirs.shape and np.array_equal(x, theirs, equal_nan=True)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_has_the_bits_of_the_reference_kernels(name: str) -> None:
    module, known = interp.load(DATA / f"{name}.tflite"), np.load(DATA / f"{name}.npz")
    count = sum(key.startswith("y") for key in known)
    states = interp.run(module, function="init") if "init" in module.functions else ()
    for run in range(len(known["y0"])):
        args = [known[key][run] for key in sorted(known) if key.startswith("x")]
        results = interp.run(module, *args, *(state.storage for state in states))
        assert all(is_same(results[k], known[f"y{k}"][run]) for k in range(count))
        states = results[count:]


@pytest.mark.parametrize("title", TITLES)
def test_an_operator_has_the_bits_of_the_reference_kernels(title: str) -> None:
    module = read_litert(OPERATORS[f"{title}.model"].tobytes(), "<bytes>")
    args = [OPERATORS[key] for key in sorted(OPERATORS) if key.startswith(f"{title}.x")]
    states = interp.run(module, function="init") if "init" in module.functions else ()
    results = interp.run(module, *args, *(state.storage for state in states))
    results = results[: len(results) - len(states)]
    expected = [OPERATORS[key] for key in sorted(OPERATORS) if key.startswith(f"{title}.y")]
    assert len(results) == len(expected)
    assert all(map(is_same, results, expected))


def test_a_module_carries_the_defaults_and_its_text_keeps_them() -> None:
    module = interp.load(DATA / "cnn.int8.tflite")
    args = [np.load(DATA / "cnn.int8.npz")["x0"][0]]
    assert interp.trace(module, *args).reading == Reading("integer", chosen="tflite_double")
    again = interp.load(repr(module))
    assert again.defaults == module.defaults
    assert interp.run(again, *args) == interp.run(module, *args)
    assert np.array_equal(interp.compile(module)(*args)[0], interp.run(module, *args)[0].storage)
