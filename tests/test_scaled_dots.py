"""Products of matrices with scales as operands: as declared, and by blocks in the integer reading."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.backends.dtypes import numpy_dtype
from spec.errors import Malformed, Unsupported
from spec.types import ELEMENT_TYPES
from tests.library.oracles.exact_model import combined, fl

FOLDER = Path(__file__).parent.parent / "testdata/blocks"
F8, E8M0, F32 = (ELEMENT_TYPES[name] for name in ("f8E4M3FN", "f8E8M0FNU", "f32"))


def numbers(shape: tuple[int, ...], name: str, seed: int) -> np.ndarray:
    """Return random numbers of a type; of f8E8M0FNU, powers of two."""
    random = np.random.default_rng(seed)
    found = random.standard_normal(shape) * 4 if name != E8M0.name else 2.0 ** random.integers(-6, 6, shape)
    return np.asarray(found.astype(numpy_dtype(ELEMENT_TYPES[name])))


def exact(x: Any) -> Fraction:
    return Fraction(float(x))


def declared(a: Any, b: Any, s: Any, t: Any, size: int = 32) -> float:
    """The result for one row of each side: scaled in f32, multiplied, and added in order."""
    total: Any = Fraction(0)
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        left, right = (combined("*", exact(v), exact(w[k // size]), F32) for v, w in ((x, s), (y, t)))
        total = combined("+", total, combined("*", left, right, F32), F32)
    return float(total)


def by_blocks(a: Any, b: Any, s: Any, t: Any, size: int = 32) -> float:
    """The sum of each block in f32, times both scales, rounded once; and the sum of these in order."""
    total: Any = Fraction(0)
    for block in range(len(a) // size):
        within: Any = Fraction(0)
        for k in range(block * size, (block + 1) * size):
            within = combined("+", within, exact(a[k]) * exact(b[k]), F32)
        total = combined("+", total, fl(within * exact(s[block]) * exact(t[block]), F32), F32)
    return float(total)


def call(operands: str, types: str, attributes: str = "", result: str = "tensor<2x3xf32>") -> str:
    names = [f"%{k}: {type}" for k, type in zip(operands, types.split(", "), strict=True)]
    arguments = ", ".join(f"%{k}" for k in operands)
    return f"""func.func @main({", ".join(names)}) -> {result} {{
      %0 = stablehlo.custom_call @__op$block_scaled_dot({arguments}) {{{attributes}}} : ({types}) -> {result}
      return %0 : {result} }}"""


@pytest.mark.parametrize(("reading", "meaning"), [("dequantize", declared), ("integer", by_blocks)])
def test_an_exported_matmul_means_its_decomposition_or_sums_by_blocks(reading: str, meaning: Any) -> None:
    shapes = ((1, 2, 64), F8), ((1, 3, 64), F8), ((1, 2, 2), E8M0), ((1, 3, 2), E8M0)
    args = [numbers(shape, type.name, k) for k, (shape, type) in enumerate(shapes)]
    (result,) = interp.run(FOLDER / "scaled_matmul.export", *args, reading=reading)
    (a,), (b,), (s,), (t,) = args
    expected = [[meaning(a[i], b[j], s[i], t[j]) for j in range(3)] for i in range(2)]
    assert result.tolist() == [expected]


def test_ones_stall_as_declared_and_do_not_by_blocks() -> None:
    """32 blocks of 32 ones: the composite adds in bf16, in which 256 + 1 is 256."""
    ones, scales = np.ones((1, 1024), numpy_dtype(F8)), np.ones((1, 32), numpy_dtype(E8M0))
    types = ["tensor<1x1024xf8E4M3FN>"] * 2 + ["tensor<1x32xf8E8M0FNU>"] * 2
    text = call("abst", ", ".join(types), "", "tensor<1x1xbf16>")
    for reading, total in (("dequantize", 256), ("integer", 1024)):
        assert interp.run(text, ones, ones, scales, scales, reading=reading)[0].item() == total


def test_a_global_scale_multiplies_the_result() -> None:
    types = "tensor<2x4xf8E4M3FN>, tensor<3x4xf8E4M3FN>, tensor<2x1xf32>, tensor<3x1xf32>, tensor<f32>"
    lhs, rhs = numbers((2, 4), F8.name, 1), numbers((3, 4), F8.name, 2)
    ones = [np.ones(shape, np.float32) for shape in ((2, 1), (3, 1))]
    (once,), (twice,) = (interp.run(call("abstg", types), lhs, rhs, *ones, np.float32(g)) for g in (1, 2))
    assert [[2 * x for x in row] for row in once.tolist()] == twice.tolist()


def test_padded_scales_are_cut_by_the_block_size_of_the_configuration() -> None:
    types = "tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x3xf32>"
    size = 'backend_config = "{\\22block_scaled_dot_backend_config\\22: {\\22block_size\\22: 2}}"'
    text = call("abs", types, size, "tensor<1x1xf32>")
    scales = np.array([[2, 3, 100], [100, 100, 100]], np.float32)
    ones = np.ones((1, 4), np.float32)
    assert interp.run(text, ones, ones, scales)[0].item() == 10  # 2 + 2 + 3 + 3


def test_a_nan_scale_poisons_its_row_alone() -> None:
    args = [numbers((1, n, 64), F8.name, n) for n in (2, 3)]
    scales = [np.ones((1, n, 2), numpy_dtype(E8M0)) for n in (2, 3)]
    scales[0][0, 1, 1] = np.nan
    for reading in ("dequantize", "integer"):
        result = np.asarray(interp.run(FOLDER / "scaled_matmul.export", *args, *scales, reading=reading)[0])
        assert np.isnan(result).tolist() == [[[False] * 3, [True] * 3]]


def test_nvfp4_runs_in_both_readings() -> None:
    """Two factors of f4 and two scales of f8E4M3FN are exact in f32, and so are 16 of their products."""
    args = [
        np.random.default_rng(k).standard_normal((1, n, 32)).astype(np.float32) for k, n in enumerate((2, 3))
    ]
    path = FOLDER / "scaled_dot_general_nvfp4.export"
    first, second = (np.asarray(interp.run(path, *args, reading=r)[0]) for r in ("dequantize", "integer"))
    assert np.allclose(first, second, rtol=1e-6)
    assert np.abs(first - args[0] @ args[1].transpose(0, 2, 1)).max() < 2


def test_what_does_not_fit_is_refused() -> None:
    types = "tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x3xf32>, tensor<3x2xf32>"
    with pytest.raises(Malformed, match=r"scales of @__op.block_scaled_dot do not fit"):
        interp.load(call("abst", types))
    wide = interp.load(call("abst", types.replace("2x3xf32", "2x2xf32")))
    with pytest.raises(Unsupported, match="72 bits exceed the 53 of f64"):
        interp.run(wide, *[np.ones(v.type.shape, np.float32) for v in wide.main.inputs], reading="integer")
