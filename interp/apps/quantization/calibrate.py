"""`calibrate`: runs a program on samples, and writes the ranges of its values into it as `quant.stats`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from interp.apps.quantization.gathered import Gathered
from interp.apps.quantization.instrument import STATS, STATS_REF, instrument
from interp.apps.quantization.methods import Method, Range, method_named
from interp.apps.quantization.observe import Observed, PerAxis, observed, references
from interp.apps.quantization.on_device import Compiled, Raw
from interp.apps.quantization.statistics import Statistics, merged
from interp.engine.arguments import accepted
from interp.engine.tensor import Tensor
from interp.execute.refine import refuse_dynamic
from spec.errors import Malformed, Unsupported
from spec.ir import Dense, Module, Op, Region
from spec.options import shown
from spec.types import ELEMENT_TYPES, TensorType

Progress = Callable[[str, int, int], None]
BINS, BINS_OF_SLICES = 2048, 512
MOST_COUNTS = 2**27  # of all histograms together


class Uncalibrated(Malformed):
    """A sample, or all of them, from which no ranges follow.

    `statistics` has what the samples before it gave, by key; `sample` is its number, None for all of them.
    Go on with `calibrate(..., start=error.statistics)`.
    """

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
        self.observed: Observed = observed(self.module, per_axis)
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
            stored = accepted(self.module.main, sample)
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
            bad = ~np.isfinite(x.astype(np.float32) if x.dtype.isbuiltin != 1 else x)
            if bad.any():
                place = tuple(int(k) for k in np.argwhere(bad)[0])
                evidence = (
                    f"{value.title}{list(place)} is {x[place]}; {int(bad.sum())} of {x.size} are not finite"
                )
                raise self.error(f"sample {number} is not of finite numbers", evidence, number)

    def error(self, verdict: str, evidence: str, sample: int | None = None) -> Uncalibrated:
        """Return an error that carries the statistics so far."""
        kept = f"\n{self.gathered.samples} samples before it are kept: error.statistics"
        return Uncalibrated(verdict, evidence + kept * bool(self.gathered.samples), self.statistics, sample)

    def calibrated(self) -> Module:
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
    calibration = collected(module, samples, method, per_axis, progress, start, bins)
    calibration.refuse_useless()
    return calibration.calibrated()


def collect(
    module: Module,
    samples: Iterable[Sequence[Any]],
    method: str | Method = "minmax",
    per_axis: PerAxis = None,
    progress: Progress | None = None,
    bins: int | None = None,
) -> dict[str, Statistics]:
    """Return the statistics of one shard of the samples, by key, for `merged` and `with_statistics`."""
    return collected(module, samples, method, per_axis, progress, None, bins).statistics


def collected(
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
                raise calibration.error(verdict, f"got {shown(sample)}: give (x,) for one argument", number)
            calibration.add(*sample)
            tell("calibrate", done, max(done, len(samples) if isinstance(samples, Sized) else done))
    except BaseException as error:  # of the iterator, or an interruption: what was seen is not lost
        if not isinstance(error, Uncalibrated):
            error.statistics = calibration.statistics  # type: ignore[attr-defined]
            error.add_note(f"{calibration.gathered.samples} samples are kept: error.statistics")
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

    def rewritten(region: Region) -> Region:
        return Region(region.arguments, tuple(_rewritten(op) for op in region.ops))

    def _rewritten(op: Op) -> Op:
        if op.name == STATS_REF and statistics[op["statsKey"]].layer.count[0]:
            return replace(op, name=STATS, attributes=_attributes(statistics[op["statsKey"]], fit))
        return replace(op, regions=tuple(map(rewritten, op.regions)))

    functions = {name: replace(f, body=rewritten(f.body)) for name, f in module.functions.items()}
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
