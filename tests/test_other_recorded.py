"""Operations that are recorded and judged as others are: dynamic_conv, and collectives of one process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.questions.verdicts import verdicts
from spec.types import ELEMENT_TYPES
from tests.library.builders import combining, convolution, module, single
from tests.library.strategies.dynamic_programs import Pair, made_dynamic
from tests.library.strategies.op_programs import convolutions
from tests.library.strategies.programs import Program
from tests.test_collective_questions import FEW, PAIR, elements


@FEW
@given(convolutions(), st.sampled_from(["i32", "i64"]))
def test_a_dynamic_conv_is_recorded_as_the_convolution_that_ran(static: Any, integer: str) -> None:
    pair: Pair = made_dynamic(static, integer)
    with np.errstate(all="ignore"):
        known, found = (interp.trace(p.module, *p.args) for p in (pair.static, pair.dynamic))
    assert found.counts == known.counts
    assert list(found.reductions) == list(known.reductions)
    for a, b in zip(known.reductions.values(), found.reductions.values(), strict=True):
        assert repr([x.leaves for x in elements(a)]) == repr([x.leaves for x in elements(b)])
        assert repr(verdicts(a)).splitlines()[1:] == repr(verdicts(b)).splitlines()[1:]


def test_every_operand_of_a_collective_and_every_dynamic_conv_has_a_proof() -> None:
    """One process sums nothing. A dynamic_conv is judged as a convolution, if its padding is known."""
    alone = PAIR.replace("[[0, 1]]", "[[0]]").replace("1x2xi64", "1x1xi64")
    assert [(row.name, row.verdict) for row in interp.prove(alone).rows] == [
        ("%r#0", "proved"),
        ("%r#1", "proved"),
    ]
    op = single("collective_reduce", "2xi8 -> 2xi8", replica_groups=((0,),), channel_id=0, channel_type=0,
                has_dynamic_root=False).main.body.ops[0]  # fmt: skip
    rooted = module(replace(op, regions=(combining("add", ELEMENT_TYPES["i8"]),)))
    assert [row.verdict for row in interp.prove(rooted).rows] == ["proved"]

    args = np.ones((1, 4, 2), np.int8), np.ones((2, 2, 3), np.int8)
    static = Program(convolution("1x4x2xi8; 2x2x3xi8 -> 1x3x3xi16", "b0f 0io b0f"), args)
    dynamic = made_dynamic(static, "i32").dynamic
    padding = {2: dynamic.args[2]}
    (row,) = interp.prove(dynamic.module).rows
    assert (row.verdict, row.judgement.why) == ("unknown", "its geometry is not known")
    for ranges, verdict in (({}, "refuted"), ({1: args[1]}, "proved")):
        known, found = (
            interp.prove(static.module, ranges),
            interp.prove(dynamic.module, {**ranges, **padding}),
        )
        assert found.rows[0].verdict == known.rows[0].verdict == verdict
        assert repr(found.rows[0].judgement.ends) == repr(known.rows[0].judgement.ends)
