"""Machine code for the nodes of a block of sums along a tree: plain ones, and fused multiply-adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import Function, Int
from interp.speed.product_blocks import Kind

Key = tuple[int, int]  # the row and the vector of sums
Terms = Callable[[Int], dict[Key, tuple[Any, Any]]]  # the factors of a leaf


class PlainSums:
    """The sums that are being added, in registers."""

    def __init__(self, f: Function, kind: Kind, keys: Sequence[Key], terms: Terms) -> None:
        self.f, self.kind, self.keys, self.terms = f, kind, keys, terms
        self.zero = ir.Constant(kind.vector, None)
        self.kept = {key: f.variable(self.zero) for key in keys}

    def load(self, key: Key) -> Any:
        return self.f.builder.load(self.kept[key])

    def keep(self, key: Key, x: Any) -> None:
        self.f.builder.store(x, self.kept[key])

    def clear(self) -> None:
        """Start from zero."""
        for key in self.keys:
            self.keep(key, self.zero)

    def start(self, leaf: Int) -> None:
        """Start from a rounded product."""
        for key, (x, w) in self.terms(leaf).items():
            self.keep(key, self.kind.multiply(self.f, x, w))

    def add(self, key: Key, x: Any) -> None:
        """Add a number of the type of the sums."""
        self.keep(key, self.kind.settle(self.f, self.f.builder.fadd(x, self.load(key))))

    def add_leaves(self, first: Int, count: Int) -> None:
        """Add products one after the other, each rounded."""
        self._add_products(first, count, self.kind)

    def add_unrounded(self, first: Int, count: Int) -> None:
        """Add products one after the other, each unrounded."""
        if self.kind.name in ("f32", "f64"):
            self._add_products(first, count, self.kind._replace(fused=True))

    def _add_products(self, first: Int, count: Int, adding: Kind) -> None:
        with self.f.loop(count) as k:
            for key, (x, w) in self.terms(first + k).items():
                self.keep(key, adding.add(self.f, self.load(key), x, w))
