"""The event `absorbed`: additions of floats whose result is one of their operands."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.answers.trace import Trace

BF16 = ml_dtypes.bfloat16


def product(n: int, values: list[float], **options: object) -> Trace:
    """Trace a product of one row of these numbers, then ones up to n, with a column of ones, in bf16."""
    types = f"(tensor<1x{n}xbf16>, tensor<{n}x1xbf16>) -> tensor<1x1xbf16>"
    text = f"""func.func @main(%a: tensor<1x{n}xbf16>, %b: tensor<{n}x1xbf16>) -> tensor<1x1xbf16> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : {types}
      return %0 : tensor<1x1xbf16> }}"""
    row = np.array([values + [1.0] * (n - len(values))], BF16)
    return interp.trace(text, row, np.ones((n, 1), BF16), **options)


def test_ones_beyond_256_are_absorbed_in_bf16() -> None:
    trace = product(1024, [])
    (group,) = (group for group in trace.groups if group.kind == "absorbed")
    assert (group.count, group.severity) == (768, "warning")
    assert "256 + 1 -> 256, 768 absorbed in all; schedule blocks(16) absorbs nothing" in repr(trace)


def test_absorbed_is_counted_where_it_alone_is_asked_for() -> None:
    assert product(1024, [], kinds="absorbed").counts == {"absorbed": 768}
    assert not product(3, [0.0, 0.0, 3.0], kinds="absorbed").counts


@pytest.mark.parametrize("order", ["blocks(16)", "blocks(32)"])
def test_the_order_that_the_event_names_absorbs_nothing(order: str) -> None:
    trace = product(1024, [], schedule=order)
    assert not trace.has("absorbed")
    assert trace.results[0].item() == 1024


def test_less_than_half_a_step_of_the_result_is_information() -> None:
    """1 is a quarter of a step of 512 in bf16: one such leaf changes no digit."""
    (group,) = (group for group in product(2, [512.0]).groups if group.kind == "absorbed")
    assert (group.count, group.severity) == (1, "information")


def test_zeros_and_infinities_absorb_nothing() -> None:
    assert not product(3, [0.0, 0.0, 3.0]).has("absorbed")
    assert not product(3, [np.inf]).has("absorbed")


STALL = "256 + 1 -> 256, 768 absorbed in all; schedule blocks(16) absorbs nothing"


@pytest.fixture(scope="module")
def scaled_dot() -> tuple[interp.Module, list[np.ndarray]]:
    """`jax.lax.scaled_dot` of 1,024 ones, in blocks of 32: its composite declares sums in bf16."""
    import jax
    from jax import export

    f8, e8m0 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu
    shapes = ((1, 1024), f8), ((1024, 1), f8), ((1, 32), e8m0), ((32, 1), e8m0)
    dot = jax.jit(lambda a, b, s, t: jax.lax.scaled_dot(a, b, lhs_scale=s, rhs_scale=t))
    exported = export.export(dot)(*(jax.ShapeDtypeStruct(*shape) for shape in shapes))
    return interp.load(exported.serialize()), [np.ones(*shape) for shape in shapes]


def test_scaled_dot_of_ones_names_what_it_loses_and_the_order_that_loses_nothing(
    scaled_dot: tuple[interp.Module, list[np.ndarray]], tmp_path: Path
) -> None:
    module, args = scaled_dot
    trace = interp.trace(module, *args)
    assert trace.counts["absorbed"] == 768
    assert STALL in repr(trace)
    results = [interp.run(module, *args, schedule=s)[0].item() for s in ("left", "blocks(16)")]
    assert results == [256, 1024]
    trace.report(str(tmp_path / "trace.html"))
    assert "768 absorbed in all; schedule blocks(16) absorbs nothing" in (tmp_path / "trace.html").read_text()


def test_a_survey_of_sums_and_its_page_show_it(
    scaled_dot: tuple[interp.Module, list[np.ndarray]], tmp_path: Path
) -> None:
    """Over two batches 1,536 are absorbed; without the sums none is looked for."""
    module, args = scaled_dot
    found = interp.survey(module, [tuple(args)] * 2, sums=True)
    (event,) = found.events
    assert (event.kind, event.count, event.severity) == ("absorbed", 1536, "warning")
    assert STALL in repr(found)
    found.report(str(tmp_path / "survey.html"))
    page = (tmp_path / "survey.html").read_text()
    assert "warning: absorbed" in page
    assert "768 absorbed in all; schedule blocks(16) absorbs nothing" in page
    assert not interp.survey(module, [tuple(args)]).events
