"""`calibrate`: runs a program on samples, and writes the ranges of its values into it as `quant.stats`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from interp.apps.quantization.instrument import (
    STATS,
    STATS_REF,
    Observed,
    PerAxis,
    instrument,
    observe,
    references,
)
from interp.apps.quantization.methods import Method, Range, method_named
from interp.apps.quantization.on_device import Compiled, Raw
from interp.apps.quantization.statistics import Extent, Histogram, Statistics, extent, merged
from interp.backends.dtypes import is_of_numpy
from interp.engine.arguments import accept_arguments
from interp.engine.tensor import Tensor
from interp.execute.refusals import refuse_dynamic
from spec.attributes import Dense
from spec.errors import Malformed, Unsupported, short_text
from spec.ir import Module, Op, Region
from spec.types import ELEMENT_TYPES, TensorType

Progress = Callable[[str, int, int], None]
BINS, BINS_OF_SLICES = 2048, 512
MOST_COUNTS = 2**27  # of all histograms together


class Uncalibrated(Malformed):
    """A sample, or all of them, from which no ranges follow.

    `statistics` has what the samples before it gave, by key; `sample` is its number, None for all of them.
    Go on with `calibrate(..., start=error.statistics)`.
    """

    __module__ = "interp.quantization.calibrate"  # where users find it, and read it in a traceback

    def __init__(
        self,
        verdict: str,
        evidence: str = "",
        statistics: Mapping[str, Statistics] | None = None,
        sample: int | None = None,
    ) -> None:
        super().__init__(verdict, evidence)
        self.statistics, self.sample = dict(statistics or {}), sample


class Calibration:
    """A running calibration: `add` samples, look at `statistics`, and write the `module`.

    module: a program with `quant.stats_ref`; one without is instrumented. method: a name of `METHODS` or a
    `Method`. per_axis: the axis from which on every slice of a value has a range of its own, besides that of
    the whole, for all values that have the axis or by key; -1 is the last. bins: of histograms.
    """

    def __init__(
        self,
        module: Module,
        method: str | Method = "minmax",
        per_axis: PerAxis = None,
        bins: int | None = None,
    ) -> None:
        refuse_dynamic(module)
        self.method = method_named(method)
        self.module = module if references(module) else instrument(module)
        self.observed: Observed = observe(self.module, per_axis)
        default = BINS if per_axis is None else BINS_OF_SLICES
        self.bins = (bins or default) if self.method.needs == "histogram" else None
        _refuse_many(sum(self.observed.slices) * (self.bins or 0), self.bins)
        self.gathered = Gathered(self.observed)
        self.start: Mapping[str, Statistics] = {}

    @cached_property
    def run(self) -> Callable[[Sequence[np.ndarray]], Raw]:
        """The compiled program."""
        return Compiled(self.observed, self.bins, self.method.needs == "squares")

    @property
    def statistics(self) -> dict[str, Statistics]:
        """The statistics so far, by key."""
        return merged(self.start, self.gathered.by_key())

    def add(self, *sample: Any) -> None:
        """Run the program on a sample's arguments; `Uncalibrated`, with nothing added, if they are wrong."""
        number = self.gathered.samples
        try:
            stored = accept_arguments(self.module.main, sample)
        except Malformed as error:
            evidence = f"{error.verdict}\n{error.evidence}"
            raise self.error(f"sample {number} does not fit the program", evidence, number) from None
        self._refuse_infinite(stored, number)
        pairs = zip(stored, self.module.main.inputs, strict=True)
        raw = self.run([Tensor(v.type, x).dequantize() for x, v in pairs])
        if nans := self.gathered.keys_with(raw.nans):
            evidence = (
                f"NaN in {', '.join(nans[:3])}{' ...' if len(nans) > 3 else ''}\nits arguments have none"
            )
            raise self.error(f"sample {number} makes the program compute NaN", evidence, number)
        self.gathered = self.gathered.with_sample(raw)

    def _refuse_infinite(self, stored: Sequence[Any], number: int) -> None:
        for x, value in zip(stored, self.module.main.inputs, strict=True):
            if not isinstance(x, np.ndarray) or value.type.storage_type.kind != "float":
                continue
            bad = ~np.isfinite(x if is_of_numpy(x.dtype) else x.astype(np.float32))
            if bad.any():
                place = tuple(int(k) for k in np.argwhere(bad)[0])
                evidence = (
                    f"{value.title}{list(place)} is {x[place]}; {int(bad.sum())} of {x.size} are not finite"
                )
                raise self.error(f"sample {number} is not of finite numbers", evidence, number)

    def error(self, verdict: str, evidence: str, sample: int | None = None) -> Uncalibrated:
        """Return an error that carries the statistics so far."""
        n = self.gathered.samples
        before = (
            f"\nerror.statistics has the statistics of the {n} sample{'s' * (n != 1)} before it" if n else ""
        )
        return Uncalibrated(verdict, evidence + before, self.statistics, sample)

    def with_statistics(self) -> Module:
        """Return the program with `quant.stats` in place of its references."""
        return with_statistics(self.module, self.statistics, self.method)

    def refuse_useless(self) -> None:
        """Raise `Uncalibrated` if there were no samples, or if all numbers of all arguments were the same."""
        statistics = self.statistics
        if not statistics:
            what_to_do = "expected at least one tuple of arguments; an iterator gives its samples only once"
            raise self.error("there are no samples", what_to_do)
        given = [statistics[key] for key in self.observed.arguments if key in statistics]
        if given and all(x.is_constant and x.layer.count[0] > 1 for x in given):
            numbers = ", ".join(f"{x.layer.low[0]:g}" for x in given[:3])
            evidence = (
                f"every element of every sample is {numbers}: the ranges would say nothing of real data"
            )
            raise self.error("the samples are constant", evidence)


def calibrate(
    module: Module,
    samples: Iterable[Sequence[Any]],
    method: str | Method = "minmax",
    per_axis: PerAxis = None,
    progress: Progress | None = None,
    start: Mapping[str, Statistics] | None = None,
    bins: int | None = None,
) -> Module:
    """Return the program with the ranges that its values had on samples, as `quant.stats`.

    samples: an iterable of tuples of arguments, each as for `run`; it is read once, and no sample is kept.
    method, per_axis, bins: as for `Calibration`. progress: called with what runs, how many samples are done,
    and of how many (those so far, if `samples` has no length). start: statistics of earlier samples, to go on
    from.

    Infinities that the program computes from finite arguments, as masks do, are left out of the ranges, and
    counted. A value that had no finite number keeps its `quant.stats_ref`. Raises `Uncalibrated` (a
    `Malformed`) for arguments that do not fit, are NaN or infinite, make the program compute NaN, are all
    the same number, and for no samples; whatever is raised, also by the iterator, has `statistics`.
    """
    calibration = run_calibration(module, samples, method, per_axis, progress, start, bins)
    calibration.refuse_useless()
    return calibration.with_statistics()


def collect(
    module: Module,
    samples: Iterable[Sequence[Any]],
    method: str | Method = "minmax",
    per_axis: PerAxis = None,
    progress: Progress | None = None,
    bins: int | None = None,
) -> dict[str, Statistics]:
    """Return the statistics of one shard of the samples, by key, for `merged` and `with_statistics`."""
    return run_calibration(module, samples, method, per_axis, progress, None, bins).statistics


def run_calibration(
    module: Module,
    samples: Iterable[Sequence[Any]],
    method: str | Method,
    per_axis: PerAxis,
    progress: Progress | None,
    start: Mapping[str, Statistics] | None,
    bins: int | None,
) -> Calibration:
    """Return a calibration that has seen all samples."""
    calibration = Calibration(module, method, per_axis, bins)
    calibration.start = start or {}
    tell = progress or (lambda what, done, total: None)
    try:
        for done, sample in enumerate(samples, 1):
            if not isinstance(sample, tuple | list):
                verdict, number = f"sample {done - 1} is not a tuple of arguments", done - 1
                raise calibration.error(
                    verdict, f"got {short_text(sample)}: give (x,) for one argument", number
                )
            calibration.add(*sample)
            tell("calibrate", done, max(done, len(samples) if isinstance(samples, Sized) else done))
    except BaseException as error:  # of the iterator, or an interruption: what was seen is not lost
        if not isinstance(error, Uncalibrated):
            error.statistics = calibration.statistics  # type: ignore[attr-defined]
            n = calibration.gathered.samples
            error.add_note(f"error.statistics has the statistics of {n} sample{'s' * (n != 1)}")
        raise
    return calibration


def with_statistics(
    module: Module, statistics: Mapping[str, Statistics], method: str | Method = "minmax"
) -> Module:
    """Return a program with `quant.stats` in place of the references whose keys have finite statistics.

    `Malformed` for a key without statistics.
    """
    keys = {op["statsKey"] for op in references(module)}
    if missing := sorted(keys - statistics.keys()):
        verdict = f"no statistics for {len(missing)} of {len(keys)} keys"
        raise Malformed(verdict, f"among them {missing[0]}; there are some for {len(statistics)} keys")
    fit = method_named(method).range

    def rewrite(region: Region) -> Region:
        return Region(region.arguments, tuple(rewrite_op(op) for op in region.ops))

    def rewrite_op(op: Op) -> Op:
        if op.name == STATS_REF and statistics[op["statsKey"]].layer.count[0]:
            return replace(op, name=STATS, attributes=_attributes(statistics[op["statsKey"]], fit))
        return replace(op, regions=tuple(map(rewrite, op.regions)))

    functions = {name: replace(f, body=rewrite(f.body)) for name, f in module.functions.items()}
    return replace(module, functions=functions)


def _attributes(x: Statistics, fit: Callable[..., Range]) -> dict[str, Any]:
    """Return the attributes of `quant.stats`; ends that f32 cannot hold are the nearest that it can."""
    (low,), (high,) = fit(x.layer)
    attributes: dict[str, Any] = {"layerStats": _dense(np.array([low, high]))}
    if x.slices is not None and x.slices.count.all():
        attributes |= {"axisStats": _dense(np.stack(fit(x.slices), axis=1)), "axis": x.axis}
    return attributes


def _refuse_many(counts: int, bins: int | None) -> None:
    if counts > MOST_COUNTS:
        verdict = f"the histograms of all slices take {8 * counts / 1e9:.1f} GB"
        what_to_do = f"give per_axis for the keys that need it alone, or fewer than {bins} bins"
        raise Unsupported(verdict, what_to_do)


def _dense(x: np.ndarray) -> Dense:
    most = np.finfo(np.float32).max
    data = np.clip(x, -most, most).astype("<f4")
    return Dense(TensorType(data.shape, ELEMENT_TYPES["f32"]), data.tobytes())


# The statistics of all keys at once, as a few long arrays, so that a sample costs a few additions


Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Places:
    """Places of the rows of a sample's raw statistics among the keys.

    rows: the rows that keys see, by pairs of a key and a result; slots: for each its slice among those of all
    keys, whose key `keys` tells.
    """

    rows: Array
    slots: Array
    keys: Array

    @staticmethod
    def of(observed: Observed) -> Places:
        """Return the places for an observed program."""
        sizes = observed.slices
        first = np.cumsum([0, *sizes])
        of_result = {result: sizes[key] for key, result in observed.sees}
        starts = np.cumsum([0, *(of_result[k] for k in range(len(of_result)))])
        rows = [np.arange(starts[result], starts[result + 1]) for _, result in observed.sees]
        slots = [np.arange(first[key], first[key + 1]) for key, _ in observed.sees]
        keys = np.repeat(np.arange(len(sizes)), sizes)
        return Places(np.concatenate(rows), np.concatenate(slots), keys)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Statistics of every key (`layers`) and of all slices of all keys; None before the first sample."""

    observed: Observed
    samples: int = 0
    layers: Extent | None = None
    slices: Extent | None = None

    def __add__(self, other: Gathered) -> Gathered:
        if self.layers is None or other.layers is None:
            return other if self.layers is None else self
        slices = self.slices + other.slices if self.slices and other.slices else None
        layers = self.layers + other.layers
        return replace(self, samples=self.samples + other.samples, layers=layers, slices=slices)

    @cached_property
    def places(self) -> Places:
        return Places.of(self.observed)

    @property
    def has_slices(self) -> bool:
        return any(axis is not None for axis in self.observed.axes)

    def with_sample(self, raw: Raw) -> Gathered:
        """Return the statistics with one sample more."""
        places, rows = self.places, self.places.rows
        histogram = None
        if raw.counts.shape[1]:
            firsts = raw.firsts[rows].astype(np.int64)
            histogram = Histogram(raw.exponents[rows], firsts, raw.counts[rows])
        count, infinities, low, high, squares = (
            x[rows] for x in (raw.count, raw.infinities, raw.low, raw.high, raw.squares)
        )
        taken = extent(count, infinities, low, high, squares, histogram)
        slices = pool(taken, places.slots, len(places.keys))
        layers = pool(slices, places.keys, len(self.observed.keys)) if self.has_slices else slices
        sample = Gathered(self.observed, 1, layers, slices if self.has_slices else None)
        added = self + sample
        added.__dict__["places"] = places  # computed once
        return added

    def keys_with(self, counts: Array) -> list[str]:
        """Return the keys, in program order, for which a count of the raw statistics is not 0."""
        places = self.places
        found = places.keys[places.slots[counts[places.rows] > 0]]
        return [self.observed.keys[k] for k in sorted(set(found.tolist()))]

    def by_key(self) -> dict[str, Statistics]:
        """Return the statistics of each key; none before the first sample."""
        if self.layers is None:
            return {}
        found, first = {}, 0
        for k, (key, axis) in enumerate(zip(self.observed.keys, self.observed.axes, strict=True)):
            last = first + self.observed.slices[k]
            slices = None if axis is None or self.slices is None else self.slices.part(slice(first, last))
            found[key] = Statistics(self.layers.part(slice(k, k + 1)), axis, slices)
            first = last
        return found


def pool(x: Extent, group: Array, groups: int) -> Extent:
    """Return the statistics of one sample for groups of its slices."""
    count, infinities = (np.bincount(group, n, groups).astype(np.int64) for n in (x.count, x.infinities))
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, x.low)
    np.maximum.at(high, group, x.high)
    squares = np.bincount(group, x.squares, groups)
    return extent(count, infinities, low, high, squares, x.histogram and x.histogram.pool(group, groups))
