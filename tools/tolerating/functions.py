"""Five quantized functions as an implementer would write them in NumPy: what is mutated.

Each computes as its program in `cases.py` says, operation by operation, in f32 and in integers.
"""

import numpy as np

F32, I8, I32, U8 = np.float32, np.int8, np.int32, np.uint8


def add(x, y, x_scale, x_zero, y_scale, y_zero, scale, zero):
    """Return x + y in i8: dequantize, add, quantize."""
    total = (x.astype(I32) - x_zero).astype(F32) * x_scale + (y.astype(I32) - y_zero).astype(F32) * y_scale
    return np.clip(np.rint(total / scale) + zero, -128, 127).astype(I8)


def mean(x, x_scale, x_zero, scale, zero):
    """Return the means of rows of ui8: integers are added up, and the sum is dequantized."""
    total = np.zeros(len(x), I32)
    for column in x.T:
        total = total + column.astype(I32) - x_zero
    average = total.astype(F32) * x_scale / F32(x.shape[1])
    return np.clip(np.rint(average / scale) + zero, 0, 255).astype(U8)


def matmul(x, w, w_scale, block):
    """Return x @ w.T, x quantized row by row to i8, with products added up in blocks in i32."""
    scale = np.abs(x).max(axis=1, keepdims=True) / F32(127)
    q = np.clip(np.rint(x / scale), -128, 127).astype(I8)
    total = np.zeros((len(x), len(w)), I32)
    for k in range(0, x.shape[1], block):
        total = total + q[:, k : k + block].astype(I32) @ w[:, k : k + block].astype(I32).T
    return total.astype(F32) * scale * w_scale


def blockwise(x, x_scale, y, y_scale):
    """Return x @ y of i8, with a scale for each tile: block after block, each in i32, their sum in f32."""
    total = np.zeros((x.shape[0], y.shape[1]), F32)
    rows = np.repeat(x_scale, x.shape[0] // x_scale.shape[0], axis=0)
    columns = np.repeat(y_scale, y.shape[1] // y_scale.shape[1], axis=1)
    size = x.shape[1] // x_scale.shape[1]
    for k in range(x_scale.shape[1]):
        part = x[:, k * size : (k + 1) * size].astype(I32) @ y[k * size : (k + 1) * size].astype(I32)
        total = total + part.astype(F32) * rows[:, k : k + 1] * columns[k : k + 1]
    return total


def quantize(x):
    """Return rows in i8, symmetric, and their scales."""
    scale = np.maximum(-x.min(axis=1), x.max(axis=1)) / F32(127.5)
    scale = np.maximum(scale, F32(2.0**-23))
    return np.clip(np.rint(x / scale[:, None]), -128, 127).astype(I8), scale
