"""Builder of StableHLO's contractions and reductions, as `build.Builder`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interp.apps.onnx.loading.build import Builder, Pairs
from spec.ir import Op, Region, Value
from spec.types import TensorType

PRECISION = ("DEFAULT", "DEFAULT")


@dataclass(frozen=True)
class Window:
    """The geometry of a window, per dimension."""

    dimensions: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]

    def sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return how many positions the window has along each dimension."""
        reach = ((n - 1) * d + 1 for n, d in zip(self.dimensions, self.dilations, strict=True))
        rows = zip(shape, self.padding, reach, self.strides, strict=True)
        return tuple(max(0, (n + low + high - r) // s + 1) for n, (low, high), r, s in rows)


@dataclass
class Folds(Builder):
    """A builder that also writes contractions and reductions."""

    def body(self, name: str, type: TensorType) -> Region:
        """Return the body of a reduction: one operation on two scalars."""
        first, second, out = (Value(self.fresh(hint), type) for hint in ("a", "b", "c"))
        combined = Op(f"stablehlo.{name}", (first, second), (out,), {}, (), self.location)
        return Region((first, second), (combined, Op("stablehlo.return", (out,), ())))

    def reduce(
        self, x: Value, init: Value, body: str, dimensions: Sequence[int], element: Any = None
    ) -> Value:
        """Return x folded along dimensions, in an accumulator of `element`, by default that of x."""
        element = x.type.element_type if element is None else element
        shape = tuple(n for d, n in enumerate(x.type.shape) if d not in dimensions)
        type, region = TensorType(shape, element), self.body(body, TensorType((), element))
        return self.emit("reduce", [x, init], type, (region,), dimensions=tuple(sorted(dimensions)))

    def reduce_window(self, x: Value, init: Value, body: str, window: Window, element: Any = None) -> Value:
        """Return x folded in windows, in an accumulator of `element`, by default that of x."""
        element = x.type.element_type if element is None else element
        type = TensorType(window.sizes(x.type.shape), element)
        attributes = {
            "window_dimensions": window.dimensions,
            "window_strides": window.strides,
            "base_dilations": (1,) * x.type.rank,
            "window_dilations": window.dilations,
            "padding": window.padding,
        }
        region = self.body(body, TensorType((), element))
        return self.emit("reduce_window", [x, init], type, (region,), **attributes)

    def dot_general(
        self,
        lhs: Value,
        rhs: Value,
        batching: tuple[Sequence[int], Sequence[int]],
        contracting: tuple[Sequence[int], Sequence[int]],
        element: Any = None,
    ) -> Value:
        """Return a contraction in an accumulator of `element`, by default that of lhs."""
        kept = [
            [n for d, n in enumerate(v.type.shape) if d not in (*batch, *contracted)]
            for v, batch, contracted in zip((lhs, rhs), batching, contracting, strict=True)
        ]
        batches = [lhs.type.shape[d] for d in batching[0]]
        attributes = {
            "lhs_batching_dimensions": tuple(batching[0]),
            "rhs_batching_dimensions": tuple(batching[1]),
            "lhs_contracting_dimensions": tuple(contracting[0]),
            "rhs_contracting_dimensions": tuple(contracting[1]),
            "precision_config": PRECISION,
        }
        type = TensorType((*batches, *kept[0], *kept[1]), element or lhs.type.element_type)
        return self.emit("dot_general", [lhs, rhs], type, (), **attributes)

    def convolution(
        self,
        x: Value,
        kernel: Value,
        strides: Sequence[int],
        padding: Pairs,
        dilations: Sequence[int],
        groups: int = 1,
        lhs_dilation: Sequence[int] = (),
        element: Any = None,
    ) -> Value:
        """Return a convolution of x (batch, features, ...) with a kernel (outputs, inputs, ...)."""
        rank = x.type.rank - 2
        gaps = tuple(lhs_dilation) or (1,) * rank
        spread = [(n - 1) * gap + 1 if n else 0 for n, gap in zip(x.type.shape[2:], gaps, strict=True)]
        window = Window(
            tuple(kernel.type.shape[2:]),
            tuple(strides),
            tuple(dilations),
            tuple((low, high) for low, high in padding),
        )
        shape = (x.type.shape[0], kernel.type.shape[0], *window.sizes(spread))
        attributes = {
            "window_strides": tuple(strides),
            "padding": window.padding,
            "lhs_dilation": gaps,
            "rhs_dilation": tuple(dilations),
            "feature_group_count": groups,
            **_features_first(rank),
        }
        type = TensorType(shape, element or x.type.element_type)
        return self.emit("convolution", [x, kernel], type, (), **attributes)


def _features_first(rank: int) -> dict[str, Any]:
    """Return the attributes of every convolution of ONNX with `rank` spatial dimensions."""
    spatial = tuple(range(2, rank + 2))
    return {
        "window_reversal": (False,) * rank,
        "input_batch_dimension": 0,
        "input_feature_dimension": 1,
        "input_spatial_dimensions": spatial,
        "kernel_input_feature_dimension": 1,
        "kernel_output_feature_dimension": 0,
        "kernel_spatial_dimensions": spatial,
        "output_batch_dimension": 0,
        "output_feature_dimension": 1,
        "output_spatial_dimensions": spatial,
        "batch_group_count": 1,
        "precision_config": PRECISION,
    }
