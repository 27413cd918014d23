"""Workloads of sums along accumulations: other orders and other nodes, against the declared order."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

import interp
from benchmarks import peers, programs
from benchmarks.cases import OWN, SQUARES, Case, Cases, DataSet
from benchmarks.contractions import SQUARES as SIDES
from benchmarks.contractions import contraction, dot
from benchmarks.measure import Call, local
from benchmarks.peers import Peer
from benchmarks.programs import Shape
from benchmarks.workload import Workload

OTHER = "it adds in another order, or rounds otherwise"


class Order(NamedTuple):
    """An accumulation of k products by a name, and how much more than the declared order it may cost."""

    name: str
    text: str
    limit: float

    def accumulation(self, case: Case) -> str:
        return permuted(case.args[0].shape[-1]) if self.text == "permuted" else self.text


def permuted(k: int) -> str:
    """Return the text of a left fold of k products in an order of chance."""
    leaves = list(range(1, k + 1))
    Random(0).shuffle(leaves)
    return "tree" + "(" * k + "0 " + " ".join(f"{leaf})" for leaf in leaves)


# NumPy's is OpenBLAS's on x86 with AVX512; docs/accumulations.md has the shapes of each.
ORDERS = (
    Order("lanes", "lanes(16)", 1.1),
    Order("permuted", "permuted", 1.1),
    Order("fma", "left fma", 1.1),
    Order("vector", "vector(16)", 1.1),
    Order("pairwise", "pairwise", 1.6),
    Order("blocks", "blocks(8)", 1.6),
    Order("NumPy's", "lanes(16: left fma; balanced)", 1.1),
    Order("XLA's", "lanes(4: left fma flush; balanced flush) inputs flush", 1.1),
    Order("onnxruntime's", "left fma", 1.1),
    Order("H100's", "left(16) fused(25) in f32 toward zero", 50),
)


def _eager(order: Order) -> Peer:
    def prepare(case: Case) -> Call:
        module, accumulation = interp.load(case.program), order.accumulation(case)
        return local(lambda: interp.run(module, *case.args, accumulator=accumulation)[0].storage)

    return Peer("eager", prepare)


def _compiled(order: Order) -> Peer:
    def prepare(case: Case) -> Call:
        return peers.on_device(
            interp.compile(interp.load(case.program), accumulator=order.accumulation(case)), case.args
        )

    return Peer("compiled", prepare)


def _workload(order: Order) -> Workload:
    fused = "fused" in order.text
    declared = [Peer("declared", peers.eager, OTHER), Peer("compiled declared", peers.compiled, OTHER)]
    return Workload(
        f"O {order.name}",
        f"1024^3 dot, {order.text}",
        SIDES,
        [OWN],
        contraction(dot, ("f32", "f32", "f32"), lambda side: [(side, side)] * 2),
        declared[:1] if fused else declared,
        {"declared": order.limit},
        {} if fused else {"compiled declared": order.limit},
        ours=[_eager(order)] if fused else [_eager(order), _compiled(order)],
        unit="product",
    )


# Sums of elements: down columns, which NumPy adds row by row in the declared order, and along rows.
SUMS = (
    Order("lanes", "lanes(16)", 2),
    Order("permuted", "permuted", 2),
    Order("pairwise", "pairwise", 2),
    Order("blocks", "blocks(8)", 2),
)


def _sum_of(dimension: int) -> Cases:
    """Return the sums of f32 along one dimension of a matrix."""

    def case(shape: Shape, data: DataSet) -> Case:
        x = np.random.default_rng(0).standard_normal(shape, np.float32)
        program = programs.reduce("add", shape, [dimension], "f32", "f32", "f32")
        return Case(program, (x, np.float32(0)), x.size)

    return case


def _workload_of_sum(order: Order, dimension: int) -> Workload:
    where, limit = (("columns", order.limit), ("rows", 1.1))[dimension]
    total = lambda x, init: np.add.reduce(x, axis=dimension) + init
    return Workload(
        f"O {where} {order.name}",
        f"sums of {where}, f32, {order.text}",
        SQUARES,
        [OWN],
        _sum_of(dimension),
        [
            Peer("declared", peers.eager, OTHER),
            peers.numpy("NumPy", total)._replace(differs=OTHER),
        ],
        {"declared": limit},
        {},
        ours=[_eager(order)],
    )


WORKLOADS = (*map(_workload, ORDERS), *(_workload_of_sum(order, d) for d in (0, 1) for order in SUMS))
