"""sort and map: eager and compiled, against the oracle, NumPy, JAX and the reference interpreter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from spec import schedule
from tests import test_compile, test_engine
from tests.programs import Program
from tests.sorting_programs import maps, sorts
from tests.test_engine import RANDOM


@settings(RANDOM, max_examples=400)
@given(st.one_of(sorts(), maps()))
def test_sorts_and_maps_equal_the_oracle(program: Program) -> None:
    test_engine.agree(program, schedule.LEFT)


@settings(RANDOM, max_examples=150)
@given(st.one_of(sorts(), maps()))
def test_compiled_sorts_and_maps_equal_eager(program: Program) -> None:
    test_compile.agree(program, "left")
