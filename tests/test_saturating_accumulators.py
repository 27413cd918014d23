"""Contractions in saturating accumulators of any width, against folds of Python's integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.questions.shrink import case_events, event_text
from interp.recorder.event import Event
from spec.errors import Malformed, Unsupported
from spec.schedule import parse
from tests.library.builders import contracting, single
from tests.library.oracles.trees import by_integers
from tests.test_engine import SCHEDULES

ENDS = {"i8": (-128, 127), "i16": (-(2**15), 2**15 - 1), "i32": (-(2**31), 2**31 - 1)}


def traced(type: str, bits: int, x: list[int], y: list[int], schedule: str = "left") -> interp.Trace:
    signature = "TxQ; TxQ -> !quant.uniform<i32:f32, 64.0>".replace("T", str(len(x)))
    attributes = contracting()
    module = single("dot_general", signature.replace("Q", f"!quant.uniform<{type}:f32, 0.5>"), **attributes)
    args = (np.array(each, np.dtype(f"int{type[1:]}")) for each in (x, y))
    return interp.trace(
        module, *args, reading="integer", accumulator=f"i{bits} saturate", schedule=schedule, keep=99
    )


def folded(products: list[int], bits: int, schedule: str) -> tuple[int, list[int]]:
    """Return the accumulator of a fold in Python's integers, and the exact sums where it clamps."""
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    nodes, clamped = [0, *products], []
    for lhs, rhs in parse(schedule).steps(len(nodes), True):
        exact = nodes[lhs] + nodes[rhs]
        nodes.append(min(max(exact, low), high))
        clamped += [exact] * (nodes[-1] != exact)
    return nodes[-1], clamped


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(list(ENDS)), st.sampled_from([4, 8, 15, 31, 33, 40, 52]), SCHEDULES)
def test_sums_are_those_of_clamped_integers(data: st.DataObject, type: str, bits: int, tree: object) -> None:
    low, high = ENDS[type]
    numbers = st.one_of(st.integers(low, high), st.sampled_from([low, high, 0, 1]))
    n = data.draw(st.integers(1, 4))
    x, y = (data.draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(2))
    schedule, products = repr(tree), [a * b for a, b in zip(x, y, strict=True)]
    trace = traced(type, bits, x, y, schedule)
    if type == "i32":  # products of 2^62, beyond what is recorded
        with pytest.raises(
            Malformed, match=f"no type has the additions of i{bits} saturate" if bits > 1 else ""
        ):
            trace.verdict("%0")
        return
    total, clamped = folded(products, bits, schedule)
    reduction = trace.reduction()
    assert int(reduction.accumulators[0][()]) == total
    assert reduction.element(()).result() == (total,)
    marks = [mark for node in reduction.element(()).replay() for mark in node.marks]
    assert [int(m.exact) for m in marks if m.kind == "saturate"] == clamped  # type: ignore[arg-type]
    found, limits = trace.verdict(), (-(1 << bits - 1), (1 << bits - 1) - 1)
    alone = any(not limits[0] <= product <= limits[1] for product in products)
    kind = "inevitable" if alone else by_integers([0, *products], *limits, wraps=False).kind
    assert found.kinds[()] == kind
    assert found.total is not None
    assert found.total[()] == sum(products)
    assert trace.explain().result == total


def test_wide_accumulators_are_recorded_or_refused_with_a_reason() -> None:
    most = 2**31 - 1
    wide = traced("i16", 60, [2**15 - 1] * 3, [2**15 - 1] * 3)
    assert repr(wide.reduction().types[0]) == "i60"  # no sum of three such products is clamped
    assert wide.verdict().counts == {"safe": 1}
    beyond = traced("i32", 60, [most] * 3, [most] * 3)
    assert beyond.has("saturate")
    for ask in (beyond.verdict, lambda: beyond.bounds("%0")):
        with pytest.raises(Malformed, match="%0 is not recorded: no type has the additions of i60 saturate"):
            ask()


def test_bounds_and_cases_of_wide_accumulators() -> None:
    numbers = [2**15 - 1] * 9
    trace = traced("i16", 33, numbers, numbers)
    found = trace.bounds()
    assert found.by_value
    assert (found.present, found.by_value.bits, found.by_value.greatest) == (33, 35, 9 * (2**15 - 1) ** 2)
    text = found.suggestion.text(found.reduction.text(found.suggested))  # type: ignore[arg-type]
    assert text == "i35; i64 saturate is the next storage type"
    with pytest.raises(Unsupported, match="no tensor has the type i33 saturate"):
        trace.shrink()


def test_a_narrow_accumulator_shrinks_to_storage_that_programs_have(tmp_path: object) -> None:
    trace = traced("i8", 12, [40, 40, 40], [40, 40, 1])
    small = trace.shrink()
    assert small.args[0].tolist() == [1600, 1600]
    assert small.args[0].dtype == np.int16
    path = small.save(f"{tmp_path}/small.mlir")
    events: list[Event] = case_events(path)
    assert event_text(small.event) in map(event_text, events)
