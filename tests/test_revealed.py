"""What was revealed is used: a diagnosis starts from it, a trace has its events, pages draw its tree."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.engine.inputs import plain_array
from spec.accumulation import Accumulation
from spec.errors import Malformed
from tests.library.devices.float_sums import left
from tests.library.oracles.accumulated_by_hand import DOT

ROWS, K = 4, 24
LANES = "lanes(4: left; balanced)"


def product(type: str = "f32", k: int = K) -> Any:
    return interp.load(DOT.format(m=ROWS, k=k, n=2, lhs=type, rhs=type, result=type))


def lanes(x: np.ndarray, y: np.ndarray, end: Callable[..., Any] = np.asarray) -> np.ndarray:
    """Add the products of rows and columns in four lanes, each from zero, two and two; `end` a result."""
    with np.errstate(over="ignore", invalid="ignore"):
        products = end((x[:, :, None] * y[None]).astype(x.dtype))
        sums = np.zeros((4, x.shape[0], y.shape[1]), x.dtype)
        for k in range(x.shape[1]):
            sums[k % 4] = end(sums[k % 4] + products[:, k])
        return np.asarray(end(end(sums[0] + sums[1]) + end(sums[2] + sums[3])))


def operands(type: Any = np.float32) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.normal(size=(ROWS, K)).astype(type), rng.normal(size=(K, 2)).astype(type)


@pytest.fixture(scope="module")
def found() -> Any:
    answer = interp.reveal(product(), lanes, check=60)
    assert repr(answer.accumulation) == LANES
    return answer


# Diagnoses.


def test_a_diagnosis_tries_what_was_revealed_first(found: Any) -> None:
    x, y = operands()
    answer = interp.diagnose(product(), (x, y), (lanes(x, y),), revealed=found)
    assert [trial.name for trial in answer.explanations] == [f"%0 along {LANES}"]
    assert len(answer.tried) == 1


def bf16(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(x.dtype)


def flush(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 2.0**-126, np.float32(0), x).astype(np.float32)


@pytest.mark.parametrize(
    ("device", "name"),
    [
        (lambda x, y: lanes(bf16(x), bf16(y)), "factors bf16"),
        (lambda x, y: lanes(flush(x), flush(y), flush), "flush to zero"),
    ],
)
def test_a_deviation_on_top_of_what_was_revealed_is_named(
    found: Any, device: Callable[..., np.ndarray], name: str
) -> None:
    x, y = operands()
    x[0] *= np.float32(2.0**-127)
    observed = device(x, y)
    assert not np.array_equal(observed, lanes(x, y))
    answer = interp.diagnose(product(), (x, y), (observed,), revealed=found)
    assert f"%0 along {LANES} with {name}" in [trial.name for trial in answer.explanations]


def test_what_does_not_hold_is_no_explanation(found: Any) -> None:
    """A device that adds from the left, in bf16, is found as before."""
    x, y = operands()
    observed = np.zeros((ROWS, 2), np.float32)
    for k in range(K):
        observed = bf16(observed + bf16(x[:, k, None] * y[k]))
    answer = interp.diagnose(product(), (x, y), (observed,), revealed=found)
    assert [trial.name for trial in answer.explanations] == ["accumulator bf16"]
    assert [trial.unequal == 0 for trial in answer.tried[:1]] == [False]


TWO = """func.func @main(%x: tensor<4x24xf32>, %y: tensor<24x2xf32>, %z: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<4x24xf32>, tensor<24x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.tanh %0 : tensor<4x2xf32>
  %2 = stablehlo.dot_general %1, %z, contracting_dims = [1] x [0]
    : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}"""


def test_sums_of_a_program_are_given_by_name() -> None:
    """The device adds the first contraction in lanes, and rounds the factors of both to bf16."""
    module, (x, y) = interp.load(TWO), operands()
    z = np.float32([[1.7, 0.3], [-0.9, 2.1]])
    inner_too = interp.run(product(), bf16(x), bf16(y), accumulator=LANES)[0].storage
    inside = np.tanh(inner_too.astype(np.float64)).astype(np.float32)
    first, second = (bf16(inside[:, k, None]) * bf16(z[k, None]) for k in (0, 1))
    answer = interp.diagnose(module, (x, y, z), (first + second,), revealed={"%0": LANES})
    assert f"%0 along {LANES} with factors bf16" in [trial.name for trial in answer.explanations]


def test_what_states_nothing_or_has_no_such_sum_is_refused() -> None:
    x, y = operands()
    noise = np.random.default_rng(0)
    racing = interp.reveal(product(), lambda x, y: lanes(x[:, noise.permutation(K)], y), check=60)
    for given, what in (
        (racing, "no accumulation is known"),
        ("xla", "no accumulation is known"),
        ({"%7": LANES}, "no sum %7"),
        ({"%0": "upwards"}, "'upwards' is not an accumulation"),
        ({"%0": LANES, "0": "left fma"}, "two accumulations of %0"),
        ({"%0": "tree((0 1) 2)"}, "does not run along what was revealed"),
        ({"%0": "left in i32"}, "does not run along what was revealed"),
    ):
        with pytest.raises(Malformed, match=what):
            interp.diagnose(product(), (x, y), (lanes(x, y),), revealed=given)


def test_a_sum_in_a_branch_that_is_not_taken_explains_nothing() -> None:
    branch = "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]"
    types = "(tensor<4x24xf32>, tensor<24x2xf32>) -> tensor<4x2xf32>"
    module = interp.load(f"""
        func.func @main(%x: tensor<4x24xf32>, %y: tensor<24x2xf32>, %p: tensor<i1>) -> tensor<4x2xf32> {{
          %0 = "stablehlo.if"(%p) ({{
            %1 = {branch} : {types}
            stablehlo.return %1 : tensor<4x2xf32>
          }}, {{
            %2 = {branch} : {types}
            stablehlo.return %2 : tensor<4x2xf32>
          }}) : (tensor<i1>) -> tensor<4x2xf32>
          return %0 : tensor<4x2xf32>
        }}""")
    x, y = operands()
    args, observed = (x, y, np.array(True)), (lanes(x, y),)
    answer = interp.diagnose(module, args, observed, revealed={"%1": LANES, "%2": "left fma"})
    assert [trial.name for trial in answer.explanations] == [f"%1 along {LANES}"]
    with pytest.raises(Malformed, match="this sum is not executed"):
        interp.diagnose(module, args, observed, revealed={"%2": LANES})


def test_the_command_reveals_an_implementation_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """XLA's own product of matrices: one explanation, where it was revealed."""
    module, rng = product(k=64), np.random.default_rng(1)
    x, y = rng.normal(size=(ROWS, 64)).astype("f4"), rng.normal(size=(64, 2)).astype("f4")
    (observed,) = interp.run(module, x, y, accumulator="lanes(4: left fma; balanced)")
    names = [tmp_path / f"{name}.npy" for name in "xyz"]
    for name, array in zip(names, (x, y, observed.storage), strict=True):
        np.save(name, array)
    program = tmp_path / "dot.mlir"
    program.write_text(repr(module))
    given = [*map(str, (program, *names[:2])), "--results", str(names[2])]
    assert main(["diagnose", *given, "--revealed", "xla"]) == 0
    assert "explanation: %0 along " in capsys.readouterr().out


# Events.


def test_a_trace_has_the_events_of_the_device_and_not_those_of_the_declared_order() -> None:
    """In f16 the first lane of this row overflows, and in the declared order no partial sum does."""
    module = product("f16")
    found = interp.reveal(module, lanes, check=60)
    assert found.ok
    x, y = np.zeros((ROWS, K), np.float16), np.ones((K, 2), np.float16)
    x[0, :5] = 40000, -10000, 0, -20000, 30000
    own = interp.trace(module, x, y, schedule=found.accumulation)
    declared = interp.trace(module, x, y)
    assert lanes(x, y)[0, 0] == own.results[0].storage[0, 0] == np.inf
    assert declared.results[0].storage[0, 0] == 40000
    (event,) = [e for e in own.events if e.kind == "inf" and e.index == (0, 0)][:1]
    other = [e for e in declared.events if e.kind == "inf" and e.index == (0, 0)]
    assert not other
    assert "40000" in repr(event)
    assert "30000" in repr(event)


# Pages.


def test_the_answer_draws_its_tree(found: Any, tmp_path: Path) -> None:
    page = found.report(tmp_path / "tree.html").read_text()
    assert page.count("<svg") == found._repr_html_().count("<svg") == 1
    assert "4 x (init, then 6 leaves one after the other) in pairs" in page
    assert "equal on 60 of 60" in page or "equal on 64 of 64" in page


def test_an_answer_without_a_statement_draws_nothing(tmp_path: Path) -> None:
    noise = np.random.default_rng(0)
    racing = interp.reveal(product(), lambda x, y: lanes(x[:, noise.permutation(K)], y), check=60)
    page = racing.report(tmp_path / "none.html").read_text()
    assert "<svg" not in page
    assert "Nothing is stated: it has other results" in page


def test_the_tree_of_an_accumulation_of_results_that_differ_is_drawn_for_each(tmp_path: Path) -> None:
    def by_row(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        both = lanes(x, y), lanes(x[:, ::-1], y[::-1])
        return np.where(np.arange(ROWS)[:, None] < 2, *both).astype(np.float32)

    found = interp.reveal(product(), by_row, check=400)
    assert len(found.groups) == 2
    assert found.report(tmp_path / "two.html").read_text().count("<svg") == 2
    assert Accumulation.parse(LANES) in [group.accumulation for group in found.groups]


# Answers of other processes.


def test_an_implementation_in_another_process_is_revealed_in_f32() -> None:
    """Its arrays come with dtypes that equal NumPy's, and are not the same objects."""
    found = interp.reveal(product(k=64), "xla", check=60)
    assert found.ok, found
    received = pickle.loads(pickle.dumps(np.float32([1.5, 2]), 5))
    assert plain_array(received).tolist() == [1.5, 2]
    assert plain_array(np.ones(1, ml_dtypes.bfloat16)).tolist() == [0x3F80]


# Several sizes.


ANY = """func.func @main(%x: tensor<4x?xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}"""


def of_size(x: np.ndarray) -> np.ndarray:
    """Add from the left, and from 13 elements on NumPy's way; from zero."""
    if x.shape[1] < 13:
        return left(np.concatenate([np.zeros((len(x), 1), np.float32), x], axis=1))
    return np.float32(0) + np.stack([row.sum() for row in x])


def test_sizes_have_one_text_whose_bound_is_between_neighbours() -> None:
    found = interp.reveal(ANY, of_size, sizes=[3, 10, 16, 40], check=60)
    assert repr(found.accumulation) == "pairwise where n < 13: left;"
    assert found.statement.startswith("pairwise where n < 13: left; equal on ")
    assert {3, 10, 12, 13, 16, 40} <= {*found.sizes}
    assert found.statement.endswith(f"at n = {', '.join(map(str, found.sizes))}")
    assert found.checked == sum(each.checked for each in found.sizes.values()) == found.equal
    rng = np.random.default_rng(2)
    for n in (5, 12, 13, 77):
        x = rng.normal(size=(4, n)).astype(np.float32)
        (ours,) = interp.run(ANY, x, schedule=found.accumulation)
        assert ours.storage.tolist() == of_size(x).tolist()
    assert json.loads(found.to_json())["sizes"]["12"]["accumulation"] == "left"


def test_a_size_that_is_refused_leaves_no_text() -> None:
    noise = np.random.default_rng(0)
    device = lambda x: of_size(x if x.shape[1] < 20 else x[:, noise.permutation(x.shape[1])])
    found = interp.reveal(ANY, device, sizes=[5, 40], check=60)
    assert not found.ok
    assert found.reason.startswith("at n = 40: it has other results")
    assert found.sizes[5].ok


def test_what_are_not_sizes_is_refused() -> None:
    for program, sizes, what in (
        (ANY, [], "not sizes"),
        (ANY, [0], "not sizes"),
        (ANY, 5, "not sizes"),
        (product(), [4], "every size of the program is known"),
    ):
        with pytest.raises(Malformed, match=what):
            interp.reveal(program, of_size, sizes=sizes)  # type: ignore[arg-type]


def test_what_one_size_does_not_show_is_said_of_that_size() -> None:
    found = interp.reveal(ANY, of_size, sizes=[1, 5], check=40)
    assert found.ok
    assert [each for each in found.unseen if "the order" in each] == [f"at n = 1: {found.sizes[1].unseen[0]}"]


# What is not seen.


CONVERTED = """func.func @main(%x: tensor<4x6xf64>, %p: tensor<i1>) -> tensor<4xi8> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x6xf64>, tensor<f64>) -> tensor<4xf64>
  %y = stablehlo.convert %sum : (tensor<4xf64>) -> tensor<4xi8>
  %none = stablehlo.constant dense<0> : tensor<4xi8>
  %z = stablehlo.select %p, %none, %y : tensor<i1>, tensor<4xi8>
  return %z : tensor<4xi8>
}"""


def to_i8(x: np.ndarray, p: np.ndarray, when: int = 0) -> np.ndarray:
    with np.errstate(all="ignore"):
        total = np.nan_to_num(np.trunc(left(np.concatenate([np.zeros((4, 1)), x], axis=1))))
    return np.where(p, when, np.clip(total, -128, 127)).astype(np.int8)


def test_bits_that_a_conversion_drops_are_not_seen() -> None:
    found = interp.reveal(CONVERTED, to_i8, check=120)
    if found.ok:
        assert "bits of the sums, which are f64, that their results in i8 do not have" in found.unseen
    whole = interp.reveal(product(), lanes, check=60)
    assert not any("bits of the sums" in each for each in whole.unseen)


def test_booleans_beside_the_sum_are_given_too() -> None:
    """The device has 1 where the program has 0, where the boolean is true."""
    found = interp.reveal(CONVERTED, lambda x, p: to_i8(x, p, 1), check=120)
    assert not found.ok
    assert "differ before the sum or after it" in found.reason or "no arithmetic" in found.reason


def test_a_device_that_clamps_large_sums_is_refused() -> None:
    """Its sums are right up to 10^36, and inputs of other kinds than infinities are beyond it."""
    with np.errstate(all="ignore"):
        found = interp.reveal(
            ANY.replace("?", "9"), lambda x: np.clip(left(x), np.float32(-1e36), np.float32(1e36)), check=120
        )
    assert not found.ok
