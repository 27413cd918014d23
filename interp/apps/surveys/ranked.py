"""The ranking of layers by what their quantization costs, as sums over samples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from interp.apps.surveys.measured import Measured
from interp.comparison.sqnr import sqnr
from interp.engine.markup import aligned
from spec.errors import Malformed


@dataclass(frozen=True)
class Effect:
    """Effect of some layers' quantization on the first result: sums of squares, and the metric."""

    signal: Fraction
    noise: Fraction
    metric: Measured | None

    def __add__(self, other: Effect) -> Effect:
        metric = self.metric + other.metric if self.metric and other.metric else None
        return Effect(self.signal + other.signal, self.noise + other.noise, metric)

    @property
    def sqnr(self) -> float:
        """The signal-to-noise ratio of the result in dB; infinite if nothing changed."""
        return sqnr(self.signal, self.noise)


@dataclass(frozen=True)
class Ranked:
    """One layer: the effect of its quantization alone, and of all layers but this one."""

    layer: str
    alone: Effect
    without: Effect

    def __add__(self, other: Ranked) -> Ranked:
        return Ranked(self.layer, self.alone + other.alone, self.without + other.without)


@dataclass(frozen=True)
class Ranking:
    """Layers, the one that costs most first; `whole` is the effect of all of them. `a + b` adds samples.

    A layer's quantization is that of its value and of the constants that its operation reads, simulated in
    the reference: quantized, and dequantized. Constants that merge several of the reference's are left out.
    """

    samples: int
    layers: tuple[Ranked, ...]
    whole: Effect

    def __add__(self, other: Ranking) -> Ranking:
        known = {x.layer: x for x in other.layers}
        if known.keys() != {x.layer for x in self.layers}:
            raise Malformed("rankings of other programs", "only rankings of one program add up")
        layers = (x + known[x.layer] for x in self.layers)
        return Ranking(self.samples + other.samples, in_order(layers), self.whole + other.whole)

    def __repr__(self) -> str:
        head = ["layer", "SQNR alone", "SQNR without"]
        head += ["metric alone", "metric without"] if self.whole.metric else []
        rows = [[x.layer, *_shown(x.alone, x.without)] for x in self.layers]
        whole = ["all", *_shown(self.whole, self.whole)]
        title = f"sensitivity of result 0 to the quantization of each layer: {self.samples:,} samples"
        return "\n".join([title, *aligned([head, *rows, whole])])


def _shown(*effects: Effect) -> list[str]:
    metrics = [f"{x.metric.means[0]:.4g}" for x in effects if x.metric]
    return [*(f"{x.sqnr:.4g}" for x in effects), *metrics]


def in_order(layers: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Return layers by what they cost alone, the most first."""
    return tuple(sorted(layers, key=lambda x: (x.alone.sqnr, x.layer)))
