"""The five functions of docs/pytest.md: all tests pass for them, and the mutants are what the page says."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from tools.tolerating.cases import CASES, Case
from tools.tolerating.trials import FUNCTIONS, MISTAKES, changed_sources, judgements, results_of, trials

PAGE = Path(__file__).resolve().parent.parent / "docs/pytest.md"
SOURCE = FUNCTIONS.read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_test_refuses_the_function_itself(case: Case) -> None:
    args = case.draw()
    assert judgements(case, args, results_of(SOURCE, case.name, args)) == (False, False, False)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake[0])
def test_every_mistake_can_be_made(mistake: tuple[str, str]) -> None:
    assert any(mistake[0] in line for line in SOURCE.splitlines()), "no line has it"


def test_every_mutant_is_a_program_and_changes_one_function() -> None:
    for case in CASES:
        changed = changed_sources(case.name)
        assert len(changed) >= 24
        for source in changed.values():
            assert {x.name for x in ast.parse(source).body if isinstance(x, ast.FunctionDef)} == {
                case.name for case in CASES
            }


def test_a_result_one_step_off_is_within_the_tolerance_and_not_permitted() -> None:
    case = CASES[0]
    args = case.draw()
    got = results_of(SOURCE, case.name, args)
    assert judgements(case, args, (got + 1).astype(np.int8)) == (False, True, True)
    assert judgements(case, args, (got + 3).astype(np.int8)) == (True, True, True)


@pytest.mark.slow("tries 38 mutants")
def test_the_row_of_sums_is_as_measured() -> None:
    wrong = [trial for trial in trials(CASES[0]) if not trial.same]
    cells = next(line for line in PAGE.read_text().splitlines() if line.startswith("| `add`")).split(" | ")
    kills = (sum(t.theirs for t in wrong), sum(t.permitted for t in wrong), sum(t.close for t in wrong))
    assert [int(cell.strip(" |")) for cell in cells[4:]] == [len(wrong), *kills]
