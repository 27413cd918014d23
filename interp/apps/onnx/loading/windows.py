"""Geometry of windows as ONNX's attributes give it: padding, dilation, and positions beyond the end."""

from __future__ import annotations

from collections.abc import Sequence

from interp.apps.onnx.loading.build_folds import Window
from interp.apps.onnx.loading.node import Node


def window_reach(sizes: Sequence[int], dilations: Sequence[int]) -> list[int]:
    """Return how far a window reaches along each dimension."""
    return [(size - 1) * d + 1 for size, d in zip(sizes, dilations, strict=True)]


def spatial_padding(
    n: Node, sizes: Sequence[int], reach: Sequence[int], strides: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the padding of each spatial dimension, from `pads` or `auto_pad`."""
    how = n.attribute("auto_pad", "NOTSET")
    rank = len(sizes)
    if how in ("NOTSET", "VALID"):
        pads = n.attribute("pads", [0] * 2 * rank) if how == "NOTSET" else [0] * 2 * rank
        return [(pads[d], pads[d + rank]) for d in range(rank)]
    if how not in ("SAME_UPPER", "SAME_LOWER"):
        raise n.malformed_error(f"auto_pad {how!r}", "expected NOTSET, VALID, SAME_UPPER or SAME_LOWER")
    found = []
    for size, r, stride in zip(sizes, reach, strides, strict=True):
        total = max(0, (-(-size // stride) - 1) * stride + r - size)
        less, more = total // 2, total - total // 2
        found.append((less, more) if how == "SAME_UPPER" else (more, less))
    return found


def pooling_window(n: Node, shape: Sequence[int]) -> tuple[Window, tuple[tuple[int, int], ...]]:
    """Return the window of a pooling operator over (batch, features, ...), and the padding it was given.

    With `ceil_mode`, the window is padded further behind, so that a last position hangs over; one that would
    start behind the given padding is left out.
    """
    rank = len(shape) - 2
    kernel = n.attribute("kernel_shape")
    if rank < 1 or kernel is None or len(kernel) != rank or min(kernel) < 1:
        raise n.malformed_error(f"kernel_shape {kernel} for an operand of shape {list(shape)}")
    strides, dilations = n.attribute("strides", [1] * rank), n.attribute("dilations", [1] * rank)
    pads = n.attribute("pads", [0] * 2 * rank)
    if len(strides) != rank or len(dilations) != rank or len(pads) != 2 * rank:
        raise n.malformed_error("strides, dilations or pads of another rank")
    if min(strides) < 1 or min(dilations) < 1 or min(pads) < 0:
        raise n.malformed_error("expected positive strides and dilations, and pads of at least 0")
    reach = window_reach(kernel, dilations)
    given = [(0, 0), (0, 0), *spatial_padding(n, shape[2:], reach, strides)]
    padding = list(given)
    if n.attribute("ceil_mode", 0) and n.attribute("auto_pad", "NOTSET") == "NOTSET":
        for d, (r, stride) in enumerate(zip(reach, strides, strict=True), 2):
            low, high = given[d]
            padding[d] = (low, high + _hanging_over(shape[d], low, high, r, stride))
    ones = (1, 1)
    window = Window((*ones, *kernel), (*ones, *strides), (*ones, *dilations), tuple(padding))
    return window, tuple(given)


def _hanging_over(size: int, low: int, high: int, reach: int, stride: int) -> int:
    """Return how many elements behind the padding the last position needs, if it starts before its end."""
    steps = -(-(size + low + high - reach) // stride)
    if steps * stride >= size + low:
        steps -= 1
    return max(0, steps * stride + reach - (size + low + high))
