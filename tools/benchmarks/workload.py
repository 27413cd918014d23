"""A workload as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.cases import Cases, DataSet, Family
from benchmarks.peers import OURS, Peer


class Workload(NamedTuple):
    """A workload; `eager` and `compiled` are limits as multiples of that peer's time. data: hardest last."""

    id: str
    what: str
    family: Family
    data: Sequence[DataSet]
    case: Cases
    peers: Sequence[Peer]
    eager: Mapping[str, float]
    compiled: Mapping[str, float]
    ours: Sequence[Peer] = OURS
    unit: str = "element"
