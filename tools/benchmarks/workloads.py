"""Every workload as a value: its program, its data, the other candidates, and the targets against them."""

from __future__ import annotations

from functools import partial

import jax.numpy as jnp
import numpy as np

from benchmarks import cases, contractions, litert, numpy_peers, onnx_runtime, orders, peers, xla_peers
from benchmarks.cases import (
    CHAINS,
    EVERY,
    IMAGES,
    OWN,
    RELU,
    ROWS,
    SAMPLES,
    SQUARES,
    SYMMETRIC,
    TINY,
    UNIFORM,
    VALID,
    WHOLE,
    ZEROS,
)
from benchmarks.lineups import JAXLIB_PARSES_FILE, RUNS_FILE, saturating, selecting, summing, targets
from benchmarks.peers import REFERENCE, Peer
from benchmarks.programs import Padding
from benchmarks.workload import Workload

SAME: Padding = ((0, 0), (1, 1), (1, 1), (0, 0))
POOL = (1, 3, 3, 1), (1, 2, 2, 1), VALID
SLIDE = (1, 3, 3, 1), (1, 1, 1, 1), SAME
DISJOINT = (1, 2, 2, 1), (1, 2, 2, 1)
OVERLAPPING = (1, 3, 3, 1), (1, 2, 2, 1)
MAX_POOL = {"filterHeight": 3, "filterWidth": 3, "strideH": 2, "strideW": 2, "padding": 1}  # VALID
FAR = 12_345_678  # an i32 so far from 0 that steps in f32 round, and integer addition is another result
BEYOND = "beyond the bound integers give another result"


NUMPY = {"NumPy": 1.3}
OWN_SUMS = {"XLA i8 to f32": 1.2, "XLA i8 to i32": 1 / 8}
WORKLOADS = (
    Workload(
        "W1",
        "row sum, i8 to i32",
        SQUARES,
        EVERY,
        cases.reduction("add", [1], "i32"),
        summing(1),
        *targets(NUMPY, OWN_SUMS),
    ),
    Workload(
        "W2",
        "column sum, i8 to i32",
        SQUARES,
        EVERY,
        cases.reduction("add", [0], "i32"),
        summing(0),
        *targets(NUMPY, {"XLA i8 to f32": 1.2}, (5_000, 6_500)),
    ),
    Workload(
        "W3",
        "full sum, i8 to i32",
        SQUARES,
        (SYMMETRIC, UNIFORM),
        cases.reduction("add", [0, 1], "i32"),
        [*summing(0, 1), peers.xla("XLA f32 rows", xla_peers.total_of_rows)],
        *targets(NUMPY, OWN_SUMS),
    ),
    Workload(
        "W3 beyond",
        "full sum, past the bound",
        SQUARES,
        (RELU,),
        cases.reduction("add", [0, 1], "i32"),
        [
            peers.numpy("NumPy", numpy_peers.total((0, 1)))._replace(differs=BEYOND),
            peers.xla("XLA fori_loop", xla_peers.per_step_loop(RELU.scale)),
        ],
        {"XLA fori_loop": 2.5},
        {"XLA fori_loop": 1.5},
    ),
    Workload(
        "W4",
        "row max, i8",
        SQUARES,
        EVERY,
        cases.reduction("maximum", [1], "i8"),
        [
            peers.numpy("NumPy", numpy_peers.greatest(1)),
            peers.xla("XLA i8", xla_peers.greatest(1)),
            peers.xla("XLA f32", xla_peers.greatest(1), np.float32),
            Peer("ONNX Runtime", partial(onnx_runtime.greatest, [1])),
            Peer("LiteRT", partial(litert.prepare, "REDUCE_MAX", ("ReducerOptions", {}), [1])),
            REFERENCE,
        ],
        *targets(NUMPY, {"XLA i8": 1.2}),
    ),
    Workload(
        "W5",
        "window max 3x3/2, i8",
        IMAGES,
        [SYMMETRIC],
        cases.window_reduction("maximum", *POOL, "i8"),
        [
            peers.numpy("NumPy strided", numpy_peers.window_max(*POOL)),
            peers.xla_program("XLA's own", "i8", np.int8),
            peers.xla_program("XLA's own, f32", "f32", np.float32),
            peers.xla("XLA strided", xla_peers.strided_window(jnp.maximum, *POOL, np.int8)),
            Peer("ONNX Runtime", partial(onnx_runtime.window_max, 3, 2)),
            Peer("LiteRT", partial(litert.prepare, "MAX_POOL_2D", ("Pool2DOptions", MAX_POOL), [])),
            REFERENCE,
        ],
        *targets({"NumPy strided": 1.3}, {"XLA's own": 1 / 100}),
    ),
    Workload(
        "W6",
        "window sum 3x3/1 SAME, i8 to i32",
        IMAGES,
        [SYMMETRIC],
        cases.window_reduction("add", *SLIDE, "i32"),
        [
            peers.numpy("NumPy strided", numpy_peers.window_sum(*SLIDE)),
            peers.xla_program("XLA's own", "i32", np.int32),
            peers.xla_program("XLA's own, f32", "f32", np.float32),
            peers.xla("XLA strided", xla_peers.strided_window(jnp.add, *SLIDE, np.int32)),
            REFERENCE,
        ],
        *targets({"NumPy strided": 1.5}, {"XLA's own": 1 / 6}),
    ),
    Workload(
        "W7",
        "select_and_scatter 2x2/2, i8",
        IMAGES,
        [SYMMETRIC],
        cases.selection(*DISJOINT),
        selecting(*DISJOINT, xla_peers.disjoint_select_and_scatter(2)),
        *targets({"XLA's own": 1 / 2}, {"XLA's own": 1 / 50}, (350, 9_000)),
    ),
    Workload(
        "W7 overlap",
        "select_and_scatter 3x3/2, i8",
        IMAGES,
        [SYMMETRIC],
        cases.selection(*OVERLAPPING),
        selecting(*OVERLAPPING, xla_peers.strided_select_and_scatter(*OVERLAPPING)),
        *targets({"XLA's own": 1 / 2}, {"XLA's own": 1 / 10}, (350, 9_000)),
    ),
    Workload(
        "S2",
        "saturating i8 sum, W2 layout",
        SQUARES,
        (SYMMETRIC, ZEROS),
        cases.reduction("add", [0], "i8"),
        saturating(0, "XLA scan"),
        {"NumPy loop": 1.1},
        {"XLA scan": 1.2},
    ),
    Workload(
        "S1",
        "saturating i8 sum, W1 layout",
        SQUARES,
        (SYMMETRIC, ZEROS),
        cases.reduction("add", [1], "i8"),
        saturating(1, "XLA transpose and scan"),
        {"NumPy loop": 1 / 2},
        {"XLA transpose and scan": 1.2},
    ),
    Workload(
        "S3",
        "saturating i8 sum, W3",
        SQUARES,
        (SYMMETRIC, ZEROS),
        cases.reduction("add", [0, 1], "i8"),
        [
            peers.python("Python loop", numpy_peers.saturating_in_python),
            peers.xla("XLA fori_loop", xla_peers.saturating_loop),
        ],
        {"Python loop": 1 / 30},
        {"XLA fori_loop": 1 / 2},
    ),
    Workload(
        "P2",
        "per-step f32 sum, W2 layout",
        SQUARES,
        [SYMMETRIC],
        cases.reduction("add", [0], "i32", FAR),
        [
            peers.numpy("NumPy loop", numpy_peers.per_step(SYMMETRIC.scale)),
            peers.xla("XLA scan", xla_peers.per_step_scan(SYMMETRIC.scale)),
            peers.xla("XLA scan, as written", xla_peers.contracted_scan(SYMMETRIC.scale))._replace(
                differs="XLA contracts products and divides by the reciprocal"
            ),
        ],
        {"NumPy loop": 1.2},
        {"XLA scan": 1.3},
    ),
    Workload(
        "tiny",
        "row sum of [16, 16]",
        TINY,
        [SYMMETRIC],
        cases.as_a_whole(cases.reduction("add", [1], "i32")),
        summing(1),
        {"reference": 1 / 8},
        {"XLA i8 to i32": 2.5},
        unit="call",
    ),
    Workload(
        "scan",
        "running sums of rows of 8 i32, as a loop",
        ROWS,
        [SYMMETRIC],
        cases.scan,
        [peers.xla_program("XLA's own", "i32", np.int32), REFERENCE],
        {"reference": 1 / 20},
        {"XLA's own": 3},
        unit="step",
    ),
    *(
        Workload(
            f"ops {element}",
            f"a chain of 100 operations on 8 {element}",
            CHAINS,
            [SYMMETRIC],
            cases.chain(element),
            [
                peers.numpy("NumPy", numpy_peers.chain),
                peers.xla_program("XLA's own", element, dtype)._replace(differs=differs),
                REFERENCE,
            ],
            {"NumPy": limit, "reference": 1 / 20},
            {"XLA's own": 3},
            unit="operation",
        )
        for element, dtype, limit, differs in (
            ("i32", np.int32, 2, ""),
            ("f32", np.float32, 3, "XLA contracts products with sums"),
        )
    ),
    Workload(
        "start",
        "interp run of a small file",
        WHOLE,
        [OWN],
        cases.small_file,
        [peers.process("jaxlib parses", JAXLIB_PARSES_FILE)],
        {"jaxlib parses": 1.4},
        {},
        ours=[peers.process("eager", RUNS_FILE)],
        unit="call",
    ),
    Workload(
        "digits",
        "the exported digits classifier",
        WHOLE,
        [OWN],
        cases.digits,
        [Peer("XLA, in floats", peers.reference_on_xla, "floats are not rounded to storage")],
        {},
        {},
        unit="image",
    ),
    Workload(
        "survey",
        "the digits classifier beside its float reference, layer by layer",
        SAMPLES,
        [OWN],
        cases.many_digits,
        [Peer("runs", peers.in_batches, "a run gives the results, a survey its statistics")],
        {"runs": 10},
        {},
        ours=[Peer("eager", peers.surveyed)],
        unit="sample",
    ),
    *contractions.WORKLOADS,
    *orders.WORKLOADS,
)
FOLDS = "S1", "S2", "S3", "P2", "W3 beyond"
CONVOLUTIONS = "C binary scales", "C real scales"
LARGE = {"family": SQUARES._replace(shapes=SQUARES.shapes[2:])}  # smaller ones are not compiled
TRACED = {
    "ours": [peers.TRACED],
    "peers": [Peer("untraced", peers.eager)],
    "eager": {"untraced": 2.5},
    "compiled": {},
}
WORKLOADS += tuple(
    workload._replace(id=f"{workload.id} traced", what=f"{workload.what}, traced", **TRACED, **family)
    for names, family in ((FOLDS, LARGE), (CONVOLUTIONS, {}))
    for workload in WORKLOADS
    if workload.id in names
)
