"""Texts of accumulations of floats and of integers, and floats that cancel, absorb and overflow."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

DTYPES: dict[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
SHAPES = (
    *("left", "right", "balanced", "halves", "strided", "pairwise", "windows(3)", "random(4)"),
    *("blocks(3)", "lanes(4)", "vector(4)", "blocks(4: balanced; right; tail apart)"),
    *("lanes(3: left; balanced; tail after)", "blocks(4: lanes(2); left)", "left where n < 5: right;"),
)
WIDE_SHAPES = ("star", "left(2)", "left(3)", "blocks(4: star; left)", "lanes(2: left(3); star)")
FLOAT_NODES = (
    *("in f32", "in f64", "fma", "fma in f32", "exact", "exact in bf16", "toward zero", "in f16"),
    *("products in f16", "in f64 products in f32", "toward zero in bf16", "flush", "fma flush in f16"),
    *("exact in f64", "toward zero in f64", "in f8E4M3FN", "exact products in bf16"),
)
FUSED = (
    *("fused(4)", "fused(13) in f32 cut 13", "fused(5 nearest)", "fused(3 normalized) toward zero"),
    "fused(9) cut 4 in f16",
)
INTEGER_NODES = (
    *("in i16", "in i9 saturate", "in i20", "saturate", "in i12 saturate products in i10", "in i32"),
    *("in f32", ""),
)
STARTS = ("", "without init")
LEVELS = (
    "blocks(2: left in i9 saturate; left in i32) from zero",
    "lanes(3: left in i12; left in i16 saturate) from zero",
    "blocks(3: left in i16; left in f32)",
    "lanes(2: left; left in i8 saturate) from zero",
    "maddubs",
    "i16 split(3) i32",
)
FLOAT_LEVELS = (
    "lanes(4: left fma; balanced)",
    "blocks(4: left in f16; left in f64) from zero",
    "blocks(4: left(2) fused(6) in f32 cut 6; left in f32)",
    "left(2) fused(7) last in f32",
    "lanes(3: right toward zero in bf16; star exact) inputs flush",
    "vector(4: left; balanced; tail apart in f64 products in f32)",
    "blocks(2: left; left flush)",
)


def joined(shape: str, node: str, start: str) -> str:
    """Return a pattern with the arithmetic of its nodes, where it does not name its levels."""
    head, where, rest = shape.partition(" where")
    tail = f" where{rest}" if where else ""
    return " ".join(word for word in (f"{head} {node}".strip() + tail, start) if word)


shapes, starts = st.sampled_from((*SHAPES, *WIDE_SHAPES)), st.sampled_from(STARTS)
float_accumulations = st.builds(joined, shapes, st.sampled_from((*FLOAT_NODES, *FUSED, "")), starts)
float_accumulations |= st.sampled_from(FLOAT_LEVELS)
integer_accumulations = st.builds(joined, shapes, st.sampled_from(INTEGER_NODES), starts) | st.sampled_from(
    LEVELS
)


def real(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return floats that cancel, absorb, are subnormal, infinite and NaN."""
    narrow = dtype == np.float16
    kind = rng.integers(0, 4)
    spread = rng.integers(-20, 12, shape) if narrow else rng.integers(-140, 100, shape)
    spread = spread if kind == 0 else rng.integers(-6, 6, shape)
    x = rng.integers(-2048, 2049, shape) / 512 * 2.0**spread
    with np.errstate(over="ignore"):
        x = np.asarray(x, np.float64).astype(dtype)
    if kind == 3 and x.size:
        x.reshape(-1)[rng.integers(0, x.size)] = rng.choice([np.inf, -np.inf, np.nan, -0.0, 0.0])
    return x
