"""Verdicts of `permits` on results that are computed from a reduction, and on functions that f64 rounds."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.execute.agreement import figure
from spec.schedule import Schedule, tree
from spec.types import ELEMENT_TYPES
from tests.library.oracles.trees import trees

LEAVES = 5  # an init and four elements: 14 trees
Q = "!quant.uniform<i8:f32, 0.5>"
SUM = f"""%s = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions=[1]
    : (tensor<2x4x{Q}>, tensor<{Q}>) -> tensor<2x{Q}>"""
TYPE, PRED = f"tensor<2x{Q}>", "tensor<2xi1>"
# What follows a sum of each of two rows: operations, and what is returned.
AFTER = {
    "itself": ("", {"%s": TYPE}),
    "itself twice": ("", {"%s": TYPE, "%s ": TYPE}),
    "doubled": (f"%r = stablehlo.add %s, %s : {TYPE}", {"%r": TYPE}),
    "doubled, and itself": (f"%r = stablehlo.add %s, %s : {TYPE}", {"%r": TYPE, "%s": TYPE}),
    "negated, and itself": (f"%r = stablehlo.negate %s : {TYPE}", {"%r": TYPE, "%s": TYPE}),
    "reversed, and itself": (f"%r = stablehlo.reverse %s, dims = [0] : {TYPE}", {"%r": TYPE, "%s": TYPE}),
    "compared": (
        f"%b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<{Q}>) -> {TYPE}\n"
        f"%r = stablehlo.compare GT, %s, %b : ({TYPE}, {TYPE}) -> {PRED}",
        {"%r": PRED},
    ),
    "broadcast": (
        f"%r = stablehlo.broadcast_in_dim %s, dims = [0] : ({TYPE}) -> tensor<2x3x{Q}>",
        {"%r": f"tensor<2x3x{Q}>"},
    ),
    "concatenated": (
        f"%r = stablehlo.concatenate %s, %s, dim = 0 : ({TYPE}, {TYPE}) -> tensor<4x{Q}>",
        {"%r": f"tensor<4x{Q}>"},
    ),
}


def program(after: str, returned: dict[str, str]) -> interp.Module:
    types, names = ", ".join(returned.values()), ", ".join(returned)
    return interp.load(
        f"func.func @main(%x: tensor<2x4x{Q}>, %i: tensor<{Q}>) -> ({types}) {{\n"
        f"{SUM}\n{after}\nreturn {names} : {types} }}"
    )


PROGRAMS = {name: program(*parts) for name, parts in AFTER.items()}


def every_tree() -> list[Schedule]:
    found = []
    for root in trees(0, LEAVES):
        steps: list[tuple[int, int]] = []

        def node(root: Any, steps: list[tuple[int, int]] = steps) -> int:
            if isinstance(root, int):
                return root
            steps.append((node(root[0]), node(root[1])))
            return LEAVES + len(steps) - 1

        node(root)
        found.append(tree(steps))
    return found


TREES = every_tree()


def row_of(name: str, result: int, index: tuple[int, ...]) -> int:
    """The row whose sum makes an element."""
    row = index[0] % 2
    return 1 - row if name.startswith("reversed") and result == 0 else row


def drawn(rng: np.random.Generator, runs: list[list[np.ndarray]]) -> list[np.ndarray]:
    """The results of one schedule, with elements of others, and of none."""
    results = [x.copy() for x in runs[rng.integers(len(runs))]]
    for k, x in enumerate(results):
        for at in range(x.size):
            other = runs[rng.integers(len(runs))][k].flat[at]
            foreign = x.dtype.type(rng.integers(0, 100))
            x.flat[at] = rng.choice([x.flat[at], other, foreign], p=[0.6, 0.3, 0.1])
    return results


def said(reason: str) -> set[Any]:
    """The set that a reason lists; `{False}` and `{(0, 1), (2, 3)}` are Python."""
    return set(eval(re.search(r"{.*}", reason)[0]))


@given(st.sampled_from(sorted(PROGRAMS)), st.integers(0, 2**32))
@settings(max_examples=125, deadline=None)
def test_what_is_said_of_a_result_element_is_true_of_it(name: str, seed: int) -> None:
    rng, module = np.random.default_rng(seed), PROGRAMS[name]
    args = [rng.choice([100, -100, 90, 3, -2], (2, 4)).astype(np.int8), np.int8(rng.choice([0, 0, 5]))]
    runs = [[out.storage for out in interp.run(module, *args, schedule=order)] for order in TREES]
    results = drawn(rng, runs)
    judged = interp.permits(module, args, results, inits="one", schedules=["left", "balanced"])
    reasons = {(e.result, e.index): e.reason for e in judged.elements}
    for row in (0, 1):
        every = ((k, at) for k, x in enumerate(results) for at in np.ndindex(x.shape))
        places = [(k, at) for k, at in every if row_of(name, k, at) == row]
        group = []
        for k, at in places:
            values = {run[k][at].item() for run in runs}
            is_given = results[k][at].item() in values
            assert (judged.verdicts[k][at] != "not permitted") == is_given
            if is_given:
                group.append((k, at))
            elif "{" in reasons[k, at]:
                assert said(reasons[k, at]) == values
        states = {tuple(run[k][at].item() for k, at in group) for run in runs}
        together = tuple(results[k][at].item() for k, at in group)
        wanted = {"exact", "permitted"} if together in states else {"not permitted together"}
        assert {str(judged.verdicts[k][at]) for k, at in group} <= wanted
        for place in group if together not in states and len(group) <= 3 else ():
            named = re.findall(r"result (\d)\[([\d, ]+)\] = (-?\w+)", reasons[place])
            others = {(int(k), tuple(map(int, at.split(", ")))): eval(x) for k, at, x in named}
            assert others | {place: results[place[0]][place[1]]} == dict(zip(group, together, strict=True))
            assert said(reasons[place]) == states


# Functions


def function(name: str, element: str, n: int, arity: int = 1) -> interp.Module:
    type = f"tensor<{n}x{element}>"
    values, types = ", ".join(f"%x{k}" for k in range(arity)), ", ".join([type] * arity)
    arguments = ", ".join(f"%x{k}: {type}" for k in range(arity))
    return interp.load(
        f"func.func @main({arguments}) -> {type} {{\n"
        f'%r = "stablehlo.{name}"({values}) : ({types}) -> {type}\nreturn %r : {type} }}'
    )


def exact_exponential(x: np.ndarray) -> np.ndarray:
    with localcontext(prec=60):
        return np.array([float(Decimal(v).exp()) for v in x.tolist()])


def nearly() -> tuple[np.ndarray, np.ndarray]:
    """Arguments of which NumPy's exponential in f64 is not the correctly rounded one, which is given, too."""
    x = np.random.default_rng(0).uniform(-3, 3, 4000)
    right = exact_exponential(x)
    wrong = right != np.exp(x)
    if not wrong.any():
        pytest.skip("this NumPy rounds all of them correctly")
    return x[wrong][:20], right[wrong][:20]


def test_a_correctly_rounded_function_is_not_refuted() -> None:
    x, right = nearly()
    module = function("exponential", "f64", len(x))
    judged = interp.permits(module, [x], [right])
    assert judged.ok, judged
    wrong = interp.permits(module, [x], [np.nextafter(right, 2 * right)])
    assert wrong.counts["unknown"] + wrong.counts["exact"] == len(x)
    assert wrong.counts["unknown"]
    first = wrong.elements[0]
    assert first.reason.startswith(f"1 units of the last place from {right.tolist()[first.index[0]]!r}; ")


@pytest.mark.parametrize("name", ["exponential", "tanh", "logistic", "cbrt"])
@pytest.mark.parametrize("element", ["f32", "bf16", "f16"])
def test_no_digit_of_a_function_is_refuted(name: str, element: str) -> None:
    """StableHLO guarantees no accuracy; a function of NaN is NaN all the same."""
    module, type = function(name, element, 3), ELEMENT_TYPES[element]
    x = NUMPY.encode(np.array([0.5, 1.5, np.nan]), type)
    (whole,) = interp.run(module, x)
    off = NUMPY.encode(NUMPY.decode(whole.storage, type) * 1.25, type)
    off[2] = off[0]
    judged = interp.permits(module, [x], [off])
    assert judged.verdicts[0].tolist() == ["unknown", "unknown", "not permitted"]
    assert f"no accuracy of `{name}`; JAX documents errors of up to" in judged.elements[0].reason


def test_powers_of_integers_are_exact() -> None:
    module = function("power", "i32", 2, 2)
    judged = interp.permits(module, [np.int32([3, 2]), np.int32([2, 5])], [np.int32([9, 33])])
    assert judged.verdicts[0].tolist() == ["exact", "not permitted"]


def test_what_follows_such_a_function_is_unknown() -> None:
    """exp(x) - right is 0 if exp is correctly rounded, and one unit of the last place as we compute it."""
    x, right = nearly()
    n = len(x)
    module = interp.load(
        f"func.func @main(%x: tensor<{n}xf64>, %y: tensor<{n}xf64>)\n"
        f"    -> (tensor<{n}xf64>, tensor<{n}xi1>, tensor<{n}xf64>) {{\n"
        f"%e = stablehlo.exponential %x : tensor<{n}xf64>\n"
        f"%d = stablehlo.subtract %e, %y : tensor<{n}xf64>\n"
        f"%c = stablehlo.compare EQ, %e, %y : (tensor<{n}xf64>, tensor<{n}xf64>) -> tensor<{n}xi1>\n"
        f"%a = stablehlo.add %x, %y : tensor<{n}xf64>\n"
        f"return %d, %c, %a : tensor<{n}xf64>, tensor<{n}xi1>, tensor<{n}xf64> }}"
    )
    judged = interp.permits(module, [x, right], [np.zeros(n), np.ones(n, bool), np.zeros(n)])
    assert judged.counts == {"unknown": 2 * n, "not permitted": n}
    within = figure("exponential on f64", "run", "oracle")
    reason = f"named schedules do not give it, but `run` gives exponential on f64 only within {within} ulp"
    assert judged.elements[0].reason == reason


def test_a_function_before_or_after_a_reduction_leaves_it_unknown() -> None:
    """The sum of exponentials, and the exponential of a sum; the sum itself is judged as ever."""
    type = "tensor<3xf64>"
    source = f"""func.func @main(%x: {type}, %i: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
      %e = stablehlo.exponential %x : {type}
      %s = stablehlo.reduce(%e init: %i) applies stablehlo.add across dimensions = [0]
          : ({type}, tensor<f64>) -> tensor<f64>
      %n = stablehlo.negate %s : tensor<f64>
      return %s, %n : tensor<f64>, tensor<f64> }}"""
    args = [np.array([1.0, 2.0, 3.0]), np.float64(0)]
    judged = interp.permits(interp.load(source), args, [np.float64(1), np.float64(2)])
    assert judged.counts == {"unknown": 2}
    after = f"""func.func @main(%x: {type}, %i: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
      %s = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
          : ({type}, tensor<f64>) -> tensor<f64>
      %e = stablehlo.exponential %s : tensor<f64>
      return %s, %e : tensor<f64>, tensor<f64> }}"""
    total = np.float64(6)
    judged = interp.permits(interp.load(after), args, [total, np.nextafter(np.exp(total), 0)])
    assert [kinds.item() for kinds in judged.verdicts] == ["exact", "unknown"]
    judged = interp.permits(interp.load(after), args, [np.float64(7), np.exp(total)])
    assert [kinds.item() for kinds in judged.verdicts] == ["not permitted", "exact"]


def test_functions_of_narrower_types_are_correctly_rounded() -> None:
    """In f32: log(9.472636222839355) is just below the middle between two numbers."""
    x = np.array([9.472636222839355, 2.0], np.float32)
    module = function("log", "f32", 2)
    right = np.array([np.float32(2.2484071254730225), np.log(np.float64(2))], np.float32)
    assert interp.permits(module, [x], [right]).ok
    above = np.nextafter(right, np.float32(9))
    judged = interp.permits(module, [x], [above])
    assert judged.counts == {"unknown": 2}
    assert all(each.reason.startswith("1 units of the last place from ") for each in judged.elements)
