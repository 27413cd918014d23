"""Part of a survey: which program, options, versions and samples it is of.

A survey over n shards has n parts, of whole batches each. A part is what tells them apart, and tells a part
of something else.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import metadata
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spec.attributes import Dense
from spec.errors import Malformed
from spec.ir import Module, nested_ops, show

if TYPE_CHECKING:
    from interp.apps.surveys.batches import Batch
    from interp.apps.surveys.measure import Samples

Range = tuple[int, int]  # positions of samples: the first, and the one after the last
MODULUS = 1 << 256
SHOWN = 12  # digits of a digest that a message names


class Unread(NamedTuple):
    """Samples of a batch that could not be read, and the reason."""

    samples: Range
    reason: str

    def __str__(self) -> str:
        return f"samples {range_text(self.samples)}: {self.reason}"


@dataclass(frozen=True)
class Origin:
    """Facts that all parts of a survey share.

    `program` and `reference` are SHA-256 digests of programs, or the name of a function; `options` the
    options that decide bits, `version` those of the packages that compute. `data` is the digest of the data
    set's first batch that can be read, and `total` the number of its samples, None while that is not known.
    """

    program: str
    reference: str
    options: tuple[tuple[str, str], ...]
    version: str
    data: str
    total: int | None

    def difference(self, other: Origin) -> tuple[str, str, str] | None:
        """Return what differs first from another origin, here and there; None if nothing does."""
        for name in ("program", "reference", "options", "version", "data", "total"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours == theirs or (name == "total" and None in (ours, theirs)):
                continue
            if name == "options":
                return _different_option(dict(ours), dict(theirs))
            short = SHOWN if name in ("program", "reference", "data") else None
            return name, str(ours)[:short], str(theirs)[:short]
        return None


def _different_option(ours: dict[str, str], theirs: dict[str, str]) -> tuple[str, str, str]:
    name = next(x for x in sorted(ours | theirs) if ours.get(x) != theirs.get(x))
    return f"option {name}", ours.get(name, "-"), theirs.get(name, "-")


@dataclass(frozen=True)
class Part:
    """The samples that a survey is of: of shards `shards` of `of`, the batches before `following`.

    `done` are the positions that were read or left out. `digest` is the sum of the samples' digests, each of
    a sample's position and bytes, modulo 2^256: it does not depend on how they are divided. It finds
    mistakes, and is no defence against somebody who looks for two data sets with one digest. `following` is
    the batch to go on with, None if all is done; `wanted` the positions of the shard if known.
    """

    origin: Origin
    shards: tuple[int, ...]
    of: int
    wanted: Range | None
    done: tuple[Range, ...] = ()
    digest: int = 0
    following: int | None = 0

    @property
    def name(self) -> str:
        """The shards as text: `shard 3/8`."""
        return f"shard{'s' * (len(self.shards) > 1)} {', '.join(map(str, self.shards))}/{self.of}"

    @property
    def samples(self) -> int:
        """The number of samples that were read or left out."""
        return sum(stop - first for first, stop in self.done)

    def extend(self, done: Range, digest: int, following: int) -> Part:
        """Return the part with one more batch."""
        return replace(
            self,
            done=join_ranges([*self.done, done]),
            digest=(self.digest + digest) % MODULUS,
            following=following,
        )

    def finish(self, total: int) -> Part:
        """Return the part as complete; total: the number of all samples."""
        whole = self.of == len(self.shards)
        return replace(
            self,
            origin=replace(self.origin, total=total),
            wanted=(0, total) if whole else self.wanted,
            following=None,
        )

    def __add__(self, other: Part) -> Part:
        """Return the part of both; `Malformed` if they are of something else, or share samples."""
        return join_parts([self, other])


def join_parts(parts: Sequence[Part]) -> Part:
    """Return the part of all samples of some parts, in time that grows as their number.

    Raises `Malformed` if they are of something else, or share samples.
    """
    first = parts[0]
    for part in parts[1:]:
        if found := first.origin.difference(part.origin) or other_division(first, part):
            raise Malformed("surveys of something else", "{}: {} and {}".format(*found))
    done = join_ranges(each for part in parts for each in part.done)
    if sum(stop - start for start, stop in done) != sum(part.samples for part in parts):
        names = " and ".join(dict.fromkeys([part.name for part in parts]))
        raise Malformed("surveys that share samples", names)
    totals = [part.origin.total for part in parts if part.origin.total is not None]
    return Part(
        replace(first.origin, total=totals[0] if totals else None),
        tuple(sorted({shard for part in parts for shard in part.shards})),
        first.of,
        None,
        done,
        sum(part.digest for part in parts) % MODULUS,
        None if all(part.following is None for part in parts) else 0,
    )


def other_division(a: Part, b: Part) -> tuple[str, str, str] | None:
    return None if a.of == b.of else ("shards", str(a.of), str(b.of))


def join_ranges(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Return ranges in order, those that touch or overlap as one."""
    joined: list[Range] = []
    for first, stop in sorted(x for x in ranges if x[0] < x[1]):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((first, stop))
    return tuple(joined)


def range_text(samples: Range) -> str:
    """Return positions as text: `3`, or `3 to 7`."""
    first, stop = samples
    return str(first) if stop == first + 1 else f"{first} to {stop - 1}"


# Digests: of a program, of the options, and of samples


def digest_program(module: Module) -> str:
    """Return the SHA-256 of a program's text, and of every constant's elements, in order."""
    digest = sha256(show(module).encode())
    for function in module.functions.values():
        for op in nested_ops(function.body):
            for value in op.attributes.values():
                if isinstance(value, Dense):
                    digest.update(value.data)
    return digest.hexdigest()


def digest_samples(batch: Batch, samples: Samples, first: int) -> int:
    """Return the sum of the digests of a batch's samples that count; first: the position of the first."""
    arrays = [np.asarray(x) for x in (*batch.args, *([] if batch.target is None else [batch.target]))]
    total = 0
    for row in range(samples.count):
        digest = sha256((first + row).to_bytes(8, "little"))
        for x in arrays:
            one = x[row] if samples.size is not None and x.shape[:1] == (samples.size,) else x
            digest.update(f"{one.dtype.str}{one.shape}".encode())
            digest.update(np.ascontiguousarray(one).tobytes())
        total += int.from_bytes(digest.digest(), "little")
    return total % MODULUS


def versions() -> str:
    """Return what the bits of a survey may depend on: our version, NumPy's, and the kind of processor."""
    try:
        ours = metadata.version("stablehlo-interp")
    except metadata.PackageNotFoundError:
        ours = "not installed"
    return f"interp {ours}, numpy {np.__version__}, {platform.machine()}"


def name_option(value: Any) -> str:
    """Return the text of an option's value; a function's is its name."""
    if callable(value):
        return (
            f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
        )
    return str(value)
