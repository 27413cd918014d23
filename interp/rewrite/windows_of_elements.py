"""Windows of some elements of a convolution: what each reads of the image and of the kernel, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from interp.backends import Array
from spec.ir import Op
from spec.types import QuantizedType, TensorType


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of an array, [rows, *window, features], as a rule to take them.

    index: for each dimension of the array the positions, which broadcast to the windows. inside: where these
    are positions of the array; elsewhere is `zero`, as it is stored. order: the array's dimensions as the
    windows have them.
    """

    type: TensorType
    index: tuple[Array, ...]
    inside: Array
    zero: int

    def take(self, x: Array) -> Array:
        """Return the windows of an array."""
        found = np.asarray(x[self.index])
        return np.where(self.inside, found, np.array(self.zero).astype(found.dtype))


def window_of(op: Op, positions: tuple[Array | None, ...]) -> tuple[Windows, tuple[int, ...]] | None:
    """Return the windows of elements of a convolution, and the kernel's dimensions in their order.

    None for what has no such windows: batch groups, and kernels that are reversed.
    """
    if op["batch_group_count"] != 1 or any(op["window_reversal"]):
        return None
    lhs, rhs = (v.type for v in op.operands[:2])
    spatial, features = op["kernel_spatial_dimensions"], rhs.shape[op["kernel_input_feature_dimension"]]
    rank = len(spatial) + 2
    at = lambda d: np.asarray(positions[d]).reshape(-1, *(1,) * (rank - 1))
    along = lambda n, k: np.arange(n).reshape(1, *(-1 if j == k else 1 for j in range(rank - 1)))
    groups = op["feature_group_count"]
    group = at(op["output_feature_dimension"]) // (rhs.shape[op["kernel_output_feature_dimension"]] // groups)
    index: dict[int, Array] = {
        op["input_batch_dimension"]: at(op["output_batch_dimension"]),
        op["input_feature_dimension"]: group * features + along(features, rank - 2),
    }
    masks = list[Array]()
    for k, d in enumerate(op["input_spatial_dimensions"]):
        start = at(op["output_spatial_dimensions"][k]) * op["window_strides"][k] - op["padding"][k][0]
        place = start + along(rhs.shape[spatial[k]], k) * op["rhs_dilation"][k]
        hole, size = op["lhs_dilation"][k], lhs.shape[d]
        masks.append((place >= 0) & (place <= (size - 1) * hole) & (place % hole == 0))
        index[d] = np.clip(place // hole, 0, max(size - 1, 0))
    shape = (len(at(0)), *(rhs.shape[d] for d in spatial), features)
    element = lhs.element_type
    zero = element.zero_point if isinstance(element, QuantizedType) else 0
    inside = np.broadcast_to(reduce(np.logical_and, masks, np.ones((), bool)), shape)
    windows = Windows(TensorType(shape, element), tuple(index[d] for d in range(rank)), inside, zero)
    return windows, (*spatial, op["kernel_input_feature_dimension"])


def kernel_windows(kernel: TensorType, of: tuple[Windows, tuple[int, ...]], output: Array | None) -> Windows:
    """Return a kernel for each window, 0 where that is padded: of infinities, too, padding makes 0.

    of: the windows, and the kernel's dimensions in their order. output: the output feature of each.
    """
    windows, order = of
    rank = len(order) + 1
    index = [np.asarray(output).reshape(-1, *(1,) * (rank - 1))] * kernel.rank
    for k, d in enumerate(order, 1):
        index[d] = np.arange(kernel.shape[d]).reshape([-1 if j == k else 1 for j in range(rank)])
    type = TensorType(windows.type.shape, kernel.element_type)
    return Windows(type, tuple(index), windows.inside, 0)
