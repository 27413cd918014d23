"""What the one walk gives each domain: branches and loops, decided or not; every expectation is by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.engine.evaluate import Listener, Place
from interp.questions.permitted.permits import Permits
from spec.ir import Module, Op
from tests.library.builders import function

HALF, ONE = (f"!quant.uniform<i8:f32, {scale}>" for scale in ("0.5", "1.0"))
SUM = [
    "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
    "%near = stablehlo.constant dense<0.05> : tensor<f32>",
    "%s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]"
    " : (tensor<3xf32>, tensor<f32>) -> tensor<f32>",
]
LESS = "stablehlo.compare LT, {}, %near : (tensor<f32>, tensor<f32>) -> tensor<i1>"
X = np.float32([1e8, 0.1, -1e8])  # f32 sums them to 0.0 or, in another order, to 0.1


def counted(type: str, next: str, start: str = "%x", outside: str = "") -> Module:
    """A loop that replaces `%v`, at first `start`, by `%w` as many times as the second argument says."""
    return interp.load(f"""func.func @main(%x: tensor<{type}>, %n: tensor<i32>) -> tensor<{type}> {{
      %none = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      {outside}
      %l:2 = stablehlo.while(%i = %none, %v = {start}) : tensor<i32>, tensor<{type}>
        cond {{
          %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          %j = stablehlo.add %i, %one : tensor<i32>
          %w = {next}
          stablehlo.return %j, %w : tensor<i32>, tensor<{type}>
        }}
      return %l#1 : tensor<{type}>
    }}""")


DOUBLING = counted("2xf32", "stablehlo.add %v, %v : tensor<2xf32>")


def until(body: str, after: str) -> Module:
    """A loop as long as `%t`, at first a sum of floats, is less than 0.05; then `after`, of `%l`."""
    return function(
        "(%x: tensor<3xf32>, %a: tensor<2xf32>) -> tensor<f32>",
        *SUM,
        "%least = stablehlo.constant dense<0xFF800000> : tensor<f32>",
        f"""%l:2 = stablehlo.while(%t = %s, %m = %least) : tensor<f32>, tensor<f32>
          cond {{
            %p = {LESS.format("%t")}
            stablehlo.return %p : tensor<i1>
          }} do {{
            {body}
          }}""",
        after,
    )


def placed(module: Module, args: tuple[Any, ...], *given: Any) -> list[str]:
    """Return where `permits` places each of these results, all elements of a result alike."""
    found: list[Permits] = [interp.permits(module, args, [x]) for x in given]
    return [str(np.unique(x.place[0]).item()) for x in found]


def test_a_loop_whose_rounds_are_known_is_exact_where_its_operations_are() -> None:
    """1.5 doubled 3 times is 12, and 3.0 is 24: each sum is exact in every type."""
    args = np.float32([1.5, 3]), np.int32(3)
    (place,) = interp.permits(DOUBLING, args, [np.float32([12, 25])]).place
    assert place.tolist() == ["within", "wrong"]
    assert placed(DOUBLING, args, np.float32([12, 24])) == ["within"]


def test_more_rounds_than_are_walked_through_give_no_claim() -> None:
    module = counted("f32", "stablehlo.negate %v : tensor<f32>")
    assert placed(module, (np.float32(3), np.int32(100)), np.float32(-3)) == ["wrong"]
    assert placed(module, (np.float32(3), np.int32(1001)), np.float32(7)) == ["unknown"]


def test_a_branch_that_depends_on_the_order_of_a_sum_holds_both() -> None:
    module = function(
        "(%x: tensor<3xf32>) -> tensor<f32>",
        *SUM,
        f"%p = {LESS.format('%s')}",
        """%r = "stablehlo.if"(%p) ({
            %u = stablehlo.constant dense<1.0> : tensor<f32>
            stablehlo.return %u : tensor<f32>
          }, {
            %v = stablehlo.constant dense<2.0> : tensor<f32>
            stablehlo.return %v : tensor<f32>
          }) : (tensor<i1>) -> tensor<f32>""",
    )
    places = placed(module, (X,), np.float32(1), np.float32(2), np.float32(3))
    assert "wrong" not in places[:2]
    assert places[2] == "wrong"


def test_a_branch_that_is_decided_is_the_only_one() -> None:
    module = function(
        "(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32>",
        """%r = "stablehlo.if"(%p) ({
            %u = stablehlo.add %x, %x : tensor<f32>
            stablehlo.return %u : tensor<f32>
          }, {
            stablehlo.return %x : tensor<f32>
          }) : (tensor<i1>) -> tensor<f32>""",
    )
    for pred, right, other in ((True, 6, 3), (False, 3, 6)):
        args = np.array(pred), np.float32(3)
        assert placed(module, args, np.float32(right), np.float32(other)) == ["within", "wrong"]


@pytest.mark.parametrize("given", [2, 5, 7])
def test_the_start_of_a_loop_that_is_not_decided_is_not_its_result(given: float) -> None:
    """The loop makes no round, and then the maximum is 2, or one, and it is 5: neither is wrong.

    Minus infinity, the start of `%m`, has no finite end, but holds nothing but itself.
    """
    body = """%f = stablehlo.constant dense<5.0> : tensor<f32>
            stablehlo.return %f, %f : tensor<f32>, tensor<f32>"""
    after = (
        "%r = stablehlo.reduce(%a init: %l#1) applies stablehlo.maximum across dimensions = [0]"
        " : (tensor<2xf32>, tensor<f32>) -> tensor<f32>"
    )
    assert "wrong" not in placed(until(body, after), (X, np.float32([1, 2])), np.float32(given))


def judged(module: Module, args: tuple[Any, ...], *given: int) -> list[str]:
    """Return the verdicts in the integer reading."""
    found = [interp.permits(module, args, [np.int8(x)], reading="integer") for x in given]
    return [str(x.verdicts[0].item()) for x in found]


def test_in_integers_a_branch_that_is_decided_has_its_neighbours() -> None:
    """In steps of one, 3 halves are 1 or 2, and 4 halves are 2: their sum is 3 or 4."""
    module = function(
        f"(%p: tensor<i1>, %x: tensor<{HALF}>, %y: tensor<{HALF}>) -> tensor<{ONE}>",
        f"""%r = "stablehlo.if"(%p) ({{
            %u = stablehlo.add %x, %y : (tensor<{HALF}>, tensor<{HALF}>) -> tensor<{ONE}>
            stablehlo.return %u : tensor<{ONE}>
          }}, {{
            %v = stablehlo.subtract %x, %y : (tensor<{HALF}>, tensor<{HALF}>) -> tensor<{ONE}>
            stablehlo.return %v : tensor<{ONE}>
          }}) : (tensor<i1>) -> tensor<{ONE}>""",
    )
    args = np.int8(3), np.int8(4)
    verdicts = judged(module, (np.array(True), *args), 2, 3, 4, 5)
    assert [verdicts[0], verdicts[3]] == ["not permitted"] * 2
    assert {verdicts[1], verdicts[2]} <= {"exact", "permitted"}
    assert judged(module, (np.array(False), *args), -1, 1) == ["permitted", "not permitted"]


def test_in_integers_what_a_loop_captures_is_the_same_in_every_round() -> None:
    """3 halves are 1 or 2 steps of one; twice the same is 2 or 4, so that 3 must not be permitted."""
    outside = f"""%z = stablehlo.constant() {{value = dense<0> : tensor<i8>}} : () -> tensor<{ONE}>
      %h = stablehlo.constant() {{value = dense<3> : tensor<i8>}} : () -> tensor<{HALF}>
      %r = stablehlo.add %h, %z : (tensor<{HALF}>, tensor<{ONE}>) -> tensor<{ONE}>"""
    module = counted(ONE, f"stablehlo.add %v, %r : tensor<{ONE}>", "%x", outside)
    verdicts = judged(module, (np.int8(0), np.int32(2)), 1, 2, 3, 4, 5)
    assert [verdicts[0], verdicts[4]] == ["not permitted"] * 2
    assert verdicts[2] == "unknown"
    assert verdicts[3] in ("exact", "permitted")
    assert verdicts[1] != "not permitted"


class Conditions(Listener):
    """Listener that counts comparisons."""

    def __init__(self) -> None:
        self.heard = 0

    def on_op(self, op: Op, operands: Any, results: Any, place: Place | None) -> None:
        self.heard += op.name == "stablehlo.compare"


@pytest.mark.parametrize(("rounds", "bounded"), [(3, True), (300, False)])
def test_a_loop_is_compared_round_by_round(rounds: int, bounded: bool) -> None:
    """A negation is exact, so that the bound is 0, unless there are more rounds than are walked through."""
    listener, next = Conditions(), "stablehlo.negate %v : tensor<2xf32>"
    args = np.float32([1.5, 3]), np.int32(rounds)
    found = interp.compare(counted("2xf32", next), *args, listeners=[listener])
    assert found.ok
    assert (found.bounds[0] == 0).all() == bounded
    assert np.isinf(found.bounds[0]).all() != bounded
    assert listener.heard == rounds + 1


def test_a_loop_whose_condition_is_off_has_no_bound() -> None:
    listener = Conditions()
    body = """%f = stablehlo.constant dense<5.0> : tensor<f32>
            stablehlo.return %f, %f : tensor<f32>, tensor<f32>"""
    module = until(body, "%r = stablehlo.negate %l#0 : tensor<f32>")
    found = interp.compare(module, X, np.float32([1, 2]), listeners=[listener])
    assert np.isinf(found.bounds[0]).all()
    assert found.outputs[0].storage == -5
    assert listener.heard == 2


def test_an_accumulation_that_is_reached_twice_is_proved_only_as_far_as_both_times() -> None:
    """Of [1, 1, 1] every order fits; of [100, -100, 100] sums of neighbours fit, but 100 + 100 does not."""
    module = function(
        "(%a: tensor<3xi8>, %b: tensor<3xi8>) -> (tensor<i8>, tensor<i8>)",
        "%r = func.call @total(%a) : (tensor<3xi8>) -> tensor<i8>",
        "%s = func.call @total(%b) : (tensor<3xi8>) -> tensor<i8>",
        "return %r, %s : tensor<i8>, tensor<i8>",
        after="""func.func private @total(%x: tensor<3xi8>) -> tensor<i8> {
          %zero = stablehlo.constant dense<0> : tensor<i8>
          %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
          return %t : tensor<i8>
        }""",
    )
    alike, mixed = np.int8([1, 1, 1]), np.int8([100, -100, 100])
    for known in ({"a": alike, "b": mixed}, {"a": mixed, "b": alike}):
        (row,) = interp.prove(module, known).rows
        assert (row.verdict, row.judgement.scope) == ("proved", "any schedule")
        assert row.judgement.ends is not None
        assert row.judgement.ends.hull == (-100, 100)
        assert row.judgement.bits == 9


@pytest.mark.parametrize("rounds", [3, 6, 7, 100])
def test_a_counted_loop_is_proved_round_by_round(rounds: int) -> None:
    """The sum of two elements that grow by 10 each: in round r it is 20 r, which i8 holds up to r = 6."""
    outside = "%ten = stablehlo.constant dense<10> : tensor<2xi8>"
    next = """stablehlo.add %v, %ten : tensor<2xi8>
          %zero = stablehlo.constant dense<0> : tensor<i8>
          %t = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<2xi8>, tensor<i8>) -> tensor<i8>"""
    module = counted("2xi8", next, "%x", outside)
    known = {"x": np.int8([0, 0]), "n": np.int32(rounds + 1)}
    (row,) = interp.prove(module, known).rows
    assert (row.verdict == "proved") == (rounds <= 6)
    if rounds <= 6:
        assert row.judgement.ends is not None
        assert row.judgement.ends.hull == (0, 20 * rounds)


def test_a_branch_that_is_known_gives_its_range_and_the_others_are_judged() -> None:
    """The choice is 1, so that the sum is 2; the sum in the other branch is judged, too."""
    module = function(
        "(%p: tensor<i1>, %x: tensor<2xi8>) -> tensor<i8>",
        """%r = "stablehlo.if"(%p) ({
            %one = stablehlo.constant dense<1> : tensor<2xi8>
            stablehlo.return %one : tensor<2xi8>
          }, {
            %w = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
              : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
            %b = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<i8>) -> tensor<2xi8>
            stablehlo.return %b : tensor<2xi8>
          }) : (tensor<i1>) -> tensor<2xi8>""",
        "%zero = stablehlo.constant dense<0> : tensor<i8>",
        "%t = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0]"
        " : (tensor<2xi8>, tensor<i8>) -> tensor<i8>",
    )
    rows = interp.prove(module, {"p": np.array(True)}).rows
    assert [row.judgement.op.name for row in rows] == ["stablehlo.dot_general", "stablehlo.reduce"]
    assert rows[1].verdict == "proved"
    assert rows[1].judgement.ends is not None
    assert rows[1].judgement.ends.hull == (0, 2)


AFTER = {
    "a call": "%y = func.call @same(%s) : (tensor<f32>) -> tensor<f32>",
    "a branch": '%y = "stablehlo.if"(%p) ({ stablehlo.return %s : tensor<f32> },'
    " { stablehlo.return %near : tensor<f32> }) : (tensor<i1>) -> tensor<f32>",
    "a branch that the sum decides": f"%q = {LESS.format('%s')}\n"
    '%y = "stablehlo.if"(%q) ({ stablehlo.return %s : tensor<f32> },'
    " { stablehlo.return %s : tensor<f32> }) : (tensor<i1>) -> tensor<f32>",
    "a loop": "%y = stablehlo.while(%v = %zero) : tensor<f32>"
    " cond { %c = stablehlo.compare LT, %v, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    " stablehlo.return %c : tensor<i1> } do { stablehlo.return %s : tensor<f32> }",
}  # fmt: skip


@pytest.mark.parametrize("name", AFTER)
def test_a_sum_is_followed_through_calls_and_branches_and_never_refuted_by_a_loop(name: str) -> None:
    same = "func.func private @same(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }\n"
    main = "func.func @main(%x: tensor<3xf32>, %p: tensor<i1>) -> tensor<f32> {\n"
    lines = [*SUM, AFTER[name], "return %y : tensor<f32> }"]
    module = interp.load(same + main + "\n".join(lines))
    args, given = (X[[1, 0, 2]], np.bool_(True)), ([y] for y in np.float32([0, 0.1, 3]))
    kinds = [str(interp.permits(module, args, y, schedules="left").verdicts[0]) for y in given]
    if name in ("a call", "a branch"):
        assert kinds == ["exact", "permitted", "not permitted"]
    else:
        assert kinds == ["exact", "unknown", "unknown"]
