"""Parameters that become constants: by label, name and position, and from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from spec.errors import Malformed
from spec.ir import Module

DENSE = interp.load("""
    func.func @main(%x: tensor<2x3xf32>, %kernel: tensor<3x2xf32>, %bias: tensor<2x2xf32>)
        -> tensor<2x2xf32> {
      %0 = stablehlo.dot_general %x, %kernel, contracting_dims = [1] x [0]
        : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      %1 = stablehlo.add %0, %bias : tensor<2x2xf32>
      return %1 : tensor<2x2xf32>
    }
""")
X = np.arange(6, dtype=np.float32).reshape(2, 3)
KERNEL = np.array([[1, -2], [0.5, 3], [np.nan, -0.0]], np.float32)
BIAS = np.full((2, 2), 0.25, np.float32)


def is_bound(module: Module) -> None:
    """It takes x alone, in text too, and has the bits of the program that takes everything."""
    (expected,) = interp.run(DENSE, X, KERNEL, BIAS)
    assert [value.name for value in module.main.inputs] == ["%x"]
    for program in (module, interp.load(repr(module))):
        assert interp.run(program, X)[0] == expected


@pytest.mark.parametrize(
    "names",
    [("%kernel", "%bias"), ("bias", "kernel"), (2, 1), ("kernel", 2), (np.int64(2), np.uint8(1))],
    ids=str,
)
def test_the_others_stay_parameters(names: tuple[str | int, ...]) -> None:
    arrays = {name: KERNEL if name in ("%kernel", "kernel", 1) else BIAS for name in names}
    is_bound(interp.bind(DENSE, arrays))


def test_a_file_has_arrays_by_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "weights.npz", kernel=KERNEL, bias=BIAS)
    is_bound(interp.bind(DENSE, tmp_path / "weights.npz"))
    with pytest.raises(Malformed, match="not an archive of arrays"):
        interp.bind(DENSE, tmp_path / "weights.npy")


def test_labels_of_jax_name_parameters() -> None:
    jax = pytest.importorskip("jax")
    exported = jax.export.export(jax.jit(lambda w, x: x @ w["kernel"]))({"kernel": KERNEL}, X)
    (label, *_) = (value.label for value in interp.load(exported).main.inputs)
    (result,) = interp.run(interp.bind(exported, {label: KERNEL}), X)
    assert result == interp.run(DENSE, X, KERNEL, np.zeros_like(BIAS))[0]


def test_weights_that_are_bound_can_be_quantized() -> None:
    """Weights alone are quantized if they are constants: as parameters they stay open."""
    kernel = np.float32([[1, -2], [0.5, 3], [0.25, -1]])
    taken = interp.quantize(DENSE, [(X, kernel, BIAS)], "int8_weights")
    bound = interp.quantize(interp.bind(DENSE, {"kernel": kernel, "bias": BIAS}), [(X,)], "int8_weights")
    assert "is not constant" in repr(taken)
    assert "is not constant" not in repr(bound)
    assert "i8" in repr(bound.module)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"weights": KERNEL}, "no parameter of @main is called 'weights'"),
        ({3: KERNEL}, "no parameter of @main is called 3"),
        ({-1: BIAS}, "no parameter of @main is called -1"),
        ({True: KERNEL}, "no parameter of @main is called True"),
        ({"kernel": KERNEL, 1: KERNEL}, "two arrays for %kernel"),
        ({"kernel": KERNEL.T}, "another shape"),
        ({"kernel": np.zeros((3, 2), complex)}, "kernel"),
    ],
)
def test_what_does_not_fit_is_said(values: dict[str | int, np.ndarray], text: str) -> None:
    with pytest.raises(Malformed, match=text):
        interp.bind(DENSE, values)


def test_a_program_keeps_its_own_numbers() -> None:
    kernel = KERNEL.copy()
    bound = interp.bind(DENSE, {"kernel": kernel, "bias": BIAS})
    kernel[:] = 7
    is_bound(bound)


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(Malformed, match="not a mapping"):
        interp.bind(DENSE, [KERNEL])  # type: ignore[arg-type]


def test_a_function_that_is_called_keeps_its_parameters() -> None:
    module = interp.load("""
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = call @double(%x) : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }
        func.func private @double(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = stablehlo.add %x, %x : tensor<2xf32>
          return %0 : tensor<2xf32>
        }
    """)
    with pytest.raises(Malformed, match="@double is called with all its parameters, by @main"):
        interp.bind(module, {"x": np.ones(2, np.float32)}, function="double")
