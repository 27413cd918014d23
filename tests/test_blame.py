"""`blame`: planted rewrites and passes are named, slices are programs that differ, and nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import interp
import interp.apps.blaming.blame as blaming
from interp.__main__ import main
from interp.apps.blaming.cut import cut, evaluate, flat
from interp.apps.blaming.death import Survival
from interp.apps.blaming.search import DISABLED, LETHAL, Delta, Switch, options
from interp.apps.blaming.slices import one_element
from interp.apps.suite.implementations import InProcess
from interp.engine.work import Work, beat
from interp.execute.run import run
from interp.execute.xla_process import XlaDied
from spec.ir import Module, Op
from tests.library.builders import chained, function
from tests.library.devices.blamed_passes import SINGLES, Single, guilty
from tests.library.devices.blamed_rewrites import PLANTED, Planted, arguments, program

EXPORTS = Path(__file__).resolve().parent.parent / "testdata/exports"
QWIX = EXPORTS / "qwix_digits_int8.export"
SEVENTHS = function(
    "(%x: tensor<64xf32>) -> tensor<64xf32>",
    "%seven = stablehlo.constant dense<7.0> : tensor<64xf32>",
    "%0 = stablehlo.divide %x, %seven : tensor<64xf32>",
    "%1 = stablehlo.negate %0 : tensor<64xf32>",
)
X = np.linspace(0.1, 9.7, 64, dtype=np.float32)
SEVENTH = np.float32(1) / np.float32(7)


# Delta debugging


@pytest.mark.parametrize("seed", range(40))
def test_the_smallest_part_is_the_one_that_is_needed(seed: int) -> None:
    """Where a part fails if it has all of some items, these are found, in at most so many questions."""
    rng, asked = Random(seed), list[int]()
    n = rng.randint(1, 200)
    needed = set(rng.sample(range(n), rng.randint(1, min(4, n))))

    def fails(part: Sequence[int]) -> bool:
        asked.append(len(part))
        return needed <= set(part)

    assert Delta(fails, Work(), "items").smallest(range(n)) == sorted(needed)
    assert len(asked) <= 16 + 12 * len(needed) * n.bit_length()


@pytest.mark.parametrize("seed", range(40))
def test_no_item_can_be_left_out(seed: int) -> None:
    """For any predicate that holds of the whole: one that is not monotone, too."""
    rng = Random(seed)
    answers: dict[tuple[int, ...], bool] = {}
    fails = lambda part: len(part) == 30 or answers.setdefault(tuple(part), rng.random() < 0.3)
    search = Delta(fails, Work(), "items")
    part = search.smallest(range(30))
    assert fails(part)
    assert not any(answers[tuple(x for x in part if x != left)] for left in part if len(part) > 1)


def test_at_the_deadline_the_part_of_then_stands() -> None:
    work = Work(seconds=0)
    search = Delta(lambda part: True, work, "items")
    assert search.smallest(range(9)) == list(range(9))
    assert search.late
    assert work.partial
    assert str(work.covered[0]) == "0 of 9 items"


# Slices


def chosen(ops: Sequence[Op], seed: int) -> list[Op]:
    rng = Random(seed)
    return [op for op in ops if rng.random() < 0.4] or [ops[seed % len(ops)]]


@pytest.mark.parametrize("name", ["floats", "sums", "quantized"])
@pytest.mark.parametrize("seed", range(6))
def test_a_slice_gives_the_values_of_the_whole(name: str, seed: int) -> None:
    small = evaluate(flat(program(name), program(name).main), arguments(name), "left", "mlir")
    ops = chosen(small.ops, seed)
    module, args = cut(small, ops)
    assert interp.verify(module, mode="mlir") == []
    assert [op.results[0].name for op in module.ops() if op in ops] == [op.results[0].name for op in ops]
    for value, x in zip(module.main.body.returns, run(module, *args), strict=True):
        assert x.storage.tobytes() == small.values[value.name].tobytes()


def test_a_slice_of_calls_regions_and_several_results() -> None:
    """Values that a body reads from outside are arguments, and so is one of several results."""
    text = """
      func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %scale = func.call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
        %y:2 = "stablehlo.case"(%n) ({
          stablehlo.return %scale, %x : tensor<3xf32>, tensor<3xf32>
        }, {
          %d = stablehlo.add %scale, %x : tensor<3xf32>
          stablehlo.return %d, %scale : tensor<3xf32>, tensor<3xf32>
        }) : (tensor<i32>) -> (tensor<3xf32>, tensor<3xf32>)
        %unused = stablehlo.multiply %n, %two : tensor<i32>
        %z = stablehlo.subtract %y#0, %y#1 : tensor<3xf32>
        return %z : tensor<3xf32>
      }
      func.func private @twice(%a: tensor<3xf32>) -> tensor<3xf32> {
        %b = stablehlo.add %a, %a : tensor<3xf32>
        return %b : tensor<3xf32>
      }"""
    module = interp.load(text)
    x = np.float32([1, 2, 4])
    small = evaluate(flat(module, module.main), [x, np.int32(1)], "left", "mlir")
    assert [small.name(op) for op in small.ops] == ["%b", "%y#0", "%z"]
    for op, wanted in zip(small.ops, ([2 * x], [3 * x, 2 * x], [x]), strict=True):
        alone, args = cut(small, [op])
        alone = interp.load(repr(alone))
        assert [x.tolist() for x in run(alone, *args)] == [w.tolist() for w in wanted]


def test_one_element_of_a_slice_is_that_of_the_whole() -> None:
    module = function(
        "(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<3x2x1xf32>",
        "%c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>",
        "%b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>",
        "%p = stablehlo.multiply %x, %b : tensor<2x3xf32>",
        "%q = stablehlo.add %p, %c : tensor<2x3xf32>",
        "%r = stablehlo.reshape %q : (tensor<2x3xf32>) -> tensor<3x2x1xf32>",
    )
    x, s = np.float32([[10, 20, 30], [40, 50, 60]]), np.float32([7, 8, 9])
    (ours,) = (y.storage for y in run(module, x, s))
    theirs = ours.copy()
    theirs[2, 0, 0] += 1  # element 4 of 6, (1, 1)
    found = one_element(module, [x, s], [theirs], [ours])
    assert found is not None
    small, args = found
    assert [a.tolist() for a in args] == [[50.0], [8.0]]
    assert run(interp.load(repr(small)), *args)[0].tolist() == [50 * 8 + 5] == [ours[2, 0, 0]]


@pytest.mark.parametrize(
    "line",
    [
        "%r = stablehlo.reverse %x, dims = [0] : tensor<4xf32>",
        "%m = stablehlo.reverse %x, dims = [0] : tensor<4xf32>\n%r = stablehlo.add %x, %m : tensor<4xf32>",
    ],
)
def test_what_moves_elements_is_not_cut_to_one(line: str) -> None:
    module = function("(%x: tensor<4xf32>) -> tensor<4xf32>", *line.split("\n"))
    x = np.float32([1, 2, 3, 4])
    assert one_element(module, [x], [x], [x + 1]) is None


# Other implementations


@pytest.mark.slow("runs slices", rows=4)
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_rewrite_is_named(planted: Planted) -> None:
    """The slice is exactly the operations that the device computes otherwise."""
    answer = interp.blame(program(planted.program), *arguments(planted.program), against=planted.device)
    assert answer.verdict == "slice"
    assert [line.rpartition(" ")[2] for line in answer.slices[0].operations] == list(planted.operations)
    assert answer.slices[0].minimal
    assert not answer.partial
    if planted.deviation:
        assert answer.deviations[0] == planted.deviation
    theirs = planted.run(answer.slice, "mlir", answer.args)  # type: ignore[arg-type]
    assert [x.tobytes() for x in theirs] == [x.tobytes() for x in answer.slices[0].theirs]


def test_fifty_are_planted() -> None:
    assert len({p.name for p in PLANTED}) == len({p.name for p in SINGLES}) == 25


def device(change: Any) -> InProcess:
    """The engine, with its results changed."""
    return InProcess(lambda module, mode, args: change(module, [x.storage for x in run(module, *args)]))


def test_an_equal_implementation_is_not_blamed() -> None:
    answer = interp.blame(SEVENTHS, X, against="numpy")
    assert answer.ok
    assert answer.verdict == "same"
    assert answer.slice is None
    assert "no difference: all 64 elements are equal" in repr(answer)


def test_a_difference_that_no_slice_has_is_unknown() -> None:
    """This device is wrong on the whole program only."""
    whole = len(list(SEVENTHS.ops()))
    wrong = device(lambda module, xs: [x + (len(list(module.ops())) == whole) for x in xs])
    module = replace(SEVENTHS, functions=calling(SEVENTHS))
    answer = interp.blame(module, X, against=device(lambda m, xs: [x + (len(m.functions) - 1) for x in xs]))
    assert answer.verdict == "unknown"
    assert answer.notes == ("no slice: where calls are replaced by their bodies, nothing differs",)
    assert "unknown: no slice is found" in repr(answer)
    assert "little evidence" not in repr(answer)
    few = interp.blame(module, X, against=device(lambda m, xs: [x + (x == x[3]) for x in xs]))
    assert "1 differing element is little evidence" in repr(few)
    assert interp.blame(SEVENTHS, X, against=wrong).verdict == "slice"


def calling(module: Module) -> dict[str, Any]:
    """The functions of a program whose @main calls the one of another."""
    text = f"""
      func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{
        %r = func.call @inner(%x) : (tensor<64xf32>) -> tensor<64xf32>
        return %r : tensor<64xf32>
      }}
      {repr(module.main).replace("public ", "").replace("func.func @main", "func.func private @inner")}"""
    return dict(interp.load(text).functions)


def test_results_that_do_not_repeat_are_not_searched() -> None:
    counts = iter(range(100))
    answer = interp.blame(SEVENTHS, X, against=device(lambda m, xs: [x + next(counts) + 1 for x in xs]))
    assert answer.verdict == "unknown"
    assert answer.notes == ("InProcess does not give the same results twice: nothing was searched",)


def test_a_function_of_arrays_is_diagnosed_as_a_whole() -> None:
    """It cannot run a slice."""
    module = chained("a b: 8xf32", "0 = multiply a b", "add 0 a")
    a, b = (np.linspace(0.3, k, 8, dtype=np.float32) for k in (5, 7))
    answer = interp.blame(module, a, b, against=lambda a, b: a * b + a)
    assert answer.ok
    answer = interp.blame(module, a, b, against=lambda a, b: [a * b - a])
    assert answer.verdict == "unknown"
    assert answer.diagnosis is not None
    assert answer.notes == ("a function of arrays runs the whole program only: no slice was cut",)


SUMS = function(
    "(%x: tensor<8x4xf32>) -> tensor<8xf32>",
    "%n = stablehlo.negate %x : tensor<8x4xf32>",
    "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
    "%s = stablehlo.reduce(%n init: %zero) applies stablehlo.add across dimensions = [1]"
    " : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>",
    "%0 = stablehlo.abs %s : tensor<8xf32>",
)


@pytest.mark.parametrize(("drops", "permitted"), [(False, "dequantize"), (True, "")])
def test_an_order_that_the_specification_has_is_said_to_be_permitted(drops: bool, permitted: str) -> None:
    """Sums of pairs, added: another tree over the same leaves. Without the last leaf it is no tree."""

    def device(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        (x,) = args
        for op in module.ops():
            if op.name == "stablehlo.negate":
                x = -x
            elif op.name == "stablehlo.reduce":
                x = (x[:, 0] + x[:, 1]) + (x[:, 2] + (0 if drops else x[:, 3]))
            elif op.name == "stablehlo.abs":
                x = np.abs(x)
        return [x]

    x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    left = ((x[:, 0] + x[:, 1]) + x[:, 2]) + x[:, 3]
    assert (left != (x[:, 0] + x[:, 1]) + (x[:, 2] + x[:, 3])).any()
    answer = interp.blame(SUMS, x, against=InProcess(device))
    (slice,) = answer.slices
    assert [line.rpartition(" ")[2] for line in slice.operations] == ["%s"]
    assert slice.permitted == answer.to_dict()["slices"][0]["permitted"] == permitted
    assert ("some schedule of the specification gives these results" in repr(answer)) == bool(permitted)


@pytest.mark.parametrize(("stored", "permitted"), [(4, "integer"), (7, "")])
def test_a_slice_names_the_reading_that_permits_its_results(stored: int, permitted: str) -> None:
    """2.5 + 2.5 is 5; in integers each 2.5 is first 2 or 3 of scale 1, so that 4, 5 and 6 are permitted."""
    half, one = "tensor<1x!quant.uniform<i8:f32, 0.5>>", "tensor<1x!quant.uniform<i8:f32, 1.0>>"
    add = function(
        f"(%x: {half}, %y: {half}) -> {one}", f"%0 = stablehlo.add %x, %y : ({half}, {half}) -> {one}"
    )
    five = np.int8([5])
    device = InProcess(lambda module, mode, args: [np.int8([stored])])
    assert interp.blame(add, five, five, against=device).slices[0].permitted == permitted


def test_a_slice_is_not_called_the_smallest_where_smaller_ones_gave_no_results() -> None:
    """This device adds 1 to every result, and runs no program of fewer than three operations and a return."""

    def device(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        names = [op.name for op in module.main.body.ops if op.name != "stablehlo.constant"]
        if len(names) < 3:
            raise NotImplementedError("a program of one operation")
        return [x.storage + np.float32(1) for x in run(module, *args)]

    x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    answer = interp.blame(SUMS, x, against=InProcess(device))
    (slice,) = answer.slices
    assert len(slice.operations) == 2  # one would do
    assert not slice.minimal
    assert "a smaller slice may differ" in repr(answer)
    assert "smallest slice that was found, run again" in repr(answer)
    assert "it is the smallest slice" not in repr(answer)
    assert any("gave no results: a smaller one may differ" in note for note in answer.notes)


def test_an_implementation_that_gives_nothing_is_an_error() -> None:
    with pytest.raises(interp.Unsupported, match=r"gives no results: crashed(.|\n)*ZeroDivisionError"):
        interp.blame(SEVENTHS, X, against=InProcess(lambda *_: [1 // 0]))


# XLA


def test_switches_are_added_to_options() -> None:
    off = [Switch("a"), Switch("xla_allow_excess_precision", False), Switch("b")]
    assert options({}, off) == {"xla_allow_excess_precision": False, DISABLED: "a,b"}
    assert options({DISABLED: "b,c", "x": 1}, off[::2]) == {"x": 1, DISABLED: "b,c,a"}
    assert options({}, []) == {}


def test_a_division_by_a_constant_is_a_product_on_xla() -> None:
    """NumPy has both numbers: XLA's, and those of the program."""
    told: list[tuple[str, int, int]] = []
    answer = interp.blame(SEVENTHS, X, progress=lambda *step: told.append(step))
    assert ("switches", 1, 5) in told
    assert answer.passes == ("algsimp",)
    assert answer.unequal == int((X / np.float32(7) != X * SEVENTH).sum()) > 0
    (slice,) = answer.slices
    assert slice.operations[0].endswith("divide %0")
    assert len(slice.operations) == 1
    (x,) = slice.args
    assert x.shape == (1,)
    assert slice.theirs[0] == x * SEVENTH
    assert slice.ours[0] == slice.others[0] == x / np.float32(7)
    assert slice.theirs[0] != slice.ours[0]
    assert answer.remaining == 0
    assert not answer.partial


def test_another_function_than_main_is_blamed() -> None:
    """XLA runs @main only; calls are inlined in the slice."""
    text = repr(SEVENTHS).replace("@main", "@sevenths")
    call = """
      func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
        %y = func.call @sevenths(%x) : (tensor<64xf32>) -> tensor<64xf32>
        %z = stablehlo.add %y, %x : tensor<64xf32>
        return %z : tensor<64xf32>
      }
    }"""
    module = interp.load(text.rstrip().removesuffix("}") + call)
    answer = interp.blame(module, X, function="sevenths", slices=False)
    assert (answer.function, answer.passes, answer.slices) == ("sevenths", ("algsimp",), ())
    assert answer.unequal == int((X / np.float32(7) != X * SEVENTH).sum())


def test_with_the_pass_off_nothing_differs() -> None:
    answer = interp.blame(SEVENTHS, X, options={DISABLED: "algsimp"})
    assert answer.ok
    assert answer.rows == ()


@pytest.mark.slow("compiles some thirty programs")
def test_two_passes_are_both_named_and_have_a_slice_each() -> None:
    """A division by a constant (`algsimp`), then a product and a sum that are rounded once (`fusion`)."""
    module = chained("a b c: 64xf32", "0 = divide a b", "1 = divide 0 c", "2 = multiply 1 a", "add 2 b")
    args = [np.float32(1 + np.arange(64) * step) for step in (0.013, 0.017, 0.019)]
    answer = interp.blame(module, *args)
    assert set(answer.passes) == {"algsimp", "fusion"}
    names = {each.cause: [line.split()[-2] for line in each.operations] for each in answer.slices}
    assert names == {"algsimp": ["divide", "divide"], "fusion": ["multiply", "add"]}
    assert all(each.by_engine for each in answer.slices)
    assert answer.rows[-1].unequal == 0


@pytest.mark.slow("compiles a program many times", rows=1)
@pytest.mark.parametrize("planted", [SINGLES[k] for k in (0, 12, 18, 23)], ids=lambda single: single.name)
def test_the_pass_is_named_that_an_exhaustive_check_finds(planted: Single) -> None:
    """`tools/blame_planted` does this for all."""
    assert guilty(planted.module, planted.arguments) == {planted.guilty}
    assert interp.blame(planted.module, *planted.arguments).passes == (planted.guilty,)


@pytest.mark.slow("compiles a network some sixty times")
def test_qwixs_network_differs_by_two_passes(tmp_path: Path) -> None:
    """The file has what JAX computed by default; the engine's results are the program's as written."""
    arrays = np.load(QWIX.with_suffix(".npz"))
    answer = interp.blame(QWIX, arrays["arg0"])
    (ours,) = interp.run(QWIX, arrays["arg0"])
    assert answer.unequal == int((ours.storage != arrays["out0"]).sum()) > 0
    assert answer.steps is not None
    assert round(answer.steps) == 26
    assert set(answer.passes) == {"algsimp", "dot-library-rewriter"}
    assert answer.rows[-1].unequal == 0
    assert {each.cause for each in answer.slices} == set(answer.passes)
    assert all(each.by_engine and each.minimal for each in answer.slices)
    for path in answer.save(tmp_path):
        if path.suffix == ".mlir":
            files = sorted(tmp_path.glob(f"{path.stem}[0-9].npy"))
            found = [x.storage.tobytes() for x in interp.run(path, *map(np.load, files))]
            assert found in [[x.tobytes() for x in each.ours] for each in answer.slices]


def test_quantized_programs_are_lowered_and_that_is_said() -> None:
    answer = interp.blame(program("quantized"), *arguments("quantized"))
    assert answer.ok
    assert answer.notes == ("XLA takes no quantized types: it ran what `interp lower` makes of the program",)


def test_composites_run_as_they_were_written() -> None:
    """`Module.as_written` is the program before composites were read as quantization; not of another one."""
    module = interp.load(QWIX)
    assert {op.name for op in module.as_written.ops()} >= {"stablehlo.composite"}
    assert "stablehlo.composite" not in {op.name for op in module.ops()}
    assert replace(module, functions=dict(module.functions)).as_written.functions == module.functions
    assert SEVENTHS.as_written is SEVENTHS


# Deadline, text and files


def test_at_the_deadline_the_answer_is_partial() -> None:
    answer = interp.blame(SEVENTHS, X, seconds=0)
    assert answer.partial
    assert not answer.ok
    assert answer.verdict == "unknown"
    *_, last = repr(answer).splitlines()
    assert last == "partial, the deadline came: 0 of 9 switches, 0 of 2 operations"
    assert "  not tried: " in repr(answer)
    assert {row.error for row in answer.rows} == {"not tried"}
    with pytest.raises(interp.Malformed, match="expected a number of seconds"):
        interp.blame(SEVENTHS, X, seconds=-1)


def test_after_the_deadline_no_run_of_xla_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run here is one second of a clock that nothing else moves; the first is made in any case."""
    now, runs = [0.0], list[float]()

    def ran(run: Any) -> Any:
        def timed(*args: Any) -> Any:
            runs.append(now[0])
            found = run(*args)
            now[0] += 1
            return found

        return timed

    monkeypatch.setattr("interp.engine.work.monotonic", lambda: now[0])
    for name in ("run_apart", "passes_apart"):
        monkeypatch.setattr(f"interp.apps.blaming.blame.{name}", ran(getattr(blaming, name)))
    for seconds in (None, 0, 1, 2, 5, 9):
        now[0] = 0.0
        runs.clear()
        answer = interp.blame(SEVENTHS, X, seconds=seconds)
        if seconds is None:
            assert not answer.partial
            assert now[0] > 9
        else:
            assert answer.partial
            assert runs == list(range(max(1, seconds)))


def test_the_deadline_ends_a_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has what is left, and is ended within, too; what it did not try is said."""
    seen = list[float]()

    def endless(*_: Any, seconds: float, **__: Any) -> None:
        seen.append(seconds)
        while True:
            beat()

    monkeypatch.setattr(blaming, "diagnose", endless)
    module = chained("a b: 8xf32", "0 = multiply a b", "add 0 a")
    a, b = (np.linspace(0.3, k, 8, dtype=np.float32) for k in (5, 7))
    answer = interp.blame(module, a, b, against=lambda a, b: [a * b - a], seconds=0.3)
    assert seen == [pytest.approx(0.15, abs=0.15)]
    assert answer.diagnosis is None
    assert repr(answer).endswith("partial, the deadline came: 0 of 1 diagnoses")
    assert answer.seconds < 10


# Deaths of XLA's process


def survival(lives: Any, names: Any, work: Work | None = None) -> Survival:
    """A search in which XLA's process lives with passes off for which `lives` is true."""

    def xla(module: Module, args: Any, options: Any) -> list[Any]:
        if not lives(set(options.get(DISABLED, "").split(","))):
            raise XlaDied("XLA's process died (signal 11)")
        return [X]

    return Survival(xla, names, SEVENTHS, [X], {}, [X], work or Work())


@pytest.mark.parametrize(
    ("lives", "expected"),
    [
        (lambda off: LETHAL in off, {LETHAL}),
        (lambda off: "c" in off, {"c"}),
        (lambda off: {"c", "f"} <= off, {"c", "f"}),
        (lambda off: "e" in off and len(off) == 1, {"e"}),  # with all off, it dies of something else
        (lambda off: False, set()),
    ],
)
def test_the_passes_that_end_a_process_are_named(lives: Any, expected: set[str]) -> None:
    search = survival(lives, lambda *_: ["dce", *"abcdefgh", LETHAL])
    assert {str(each) for each in search.culprits()} == expected
    assert not search.work.partial
    assert {row.name for row in search.rows if row.unequal == 0} == (
        expected if len(expected) == 1 else set()
    )


def test_where_compiling_ends_a_process_passes_of_other_programs_are_tried() -> None:
    """Those that are seen without them are added."""

    def names(module: Module, options: Any) -> list[str]:
        if "cse" not in options.get(DISABLED, ""):
            raise XlaDied("XLA's process died (signal 6)")
        return ["late"]

    assert survival(lambda off: "cse" in off, names).culprits() == (Switch("cse"),)
    assert survival(lambda off: "late" in off, names).culprits() == (Switch("late"),)
    none = survival(lambda off: True, names, Work(seconds=0))
    assert none.culprits() in [(Switch(LETHAL),), ()]


def test_a_death_is_told_in_words() -> None:
    same = interp.blame(SEVENTHS, X, against="numpy")
    died = replace(same, failure="XLA's process died (signal 11)", unequal=64)
    assert (died.ok, died.verdict) == (False, "unknown")
    assert "\nXLA's process dies (signal 11); no pass is found without which it does not" in repr(died)
    hung = replace(died, failure="XLA gave no results within 120 s", passes=("a", "b"))
    assert hung.verdict == "passes"
    assert "XLA gives no results within 120 s; without the passes a and b it does\nblame: a and b" in repr(
        hung
    )


@pytest.mark.slow("ends XLA's process six times")
def test_the_pass_that_ends_xlas_process_is_named(tmp_path: Path) -> None:
    """Issue 40412 of jax, and an operation of no fault."""
    wide, narrow = "tensor<3x1x2x2x8x8x8xf32>", "tensor<3x1x2x8x8x8xf32>"
    module = function(
        f"(%a: {wide}, %b: {wide}) -> {narrow}",
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%p = stablehlo.multiply %a, %b : {wide}",
        f"%s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [3]"
        f" : ({wide}, tensor<f32>) -> {narrow}",
        f"%n = stablehlo.negate %s : {narrow}",
    )
    x = np.ones((3, 1, 2, 2, 8, 8, 8), np.float32)
    answer = interp.blame(module, x, x)
    assert (answer.verdict, answer.passes) == ("passes", (LETHAL,))
    assert answer.failure in ("XLA's process died (signal 11)", "XLA's process died (signal 6)")
    assert f"{answer.failure.replace('died', 'dies')}; without the pass {LETHAL} it does not\n" in repr(
        answer
    )
    (slice,) = answer.slices
    assert [line.split()[-2] for line in slice.operations] == ["multiply", "reduce"]
    assert (slice.others[0] == 2).all()
    assert slice.by_engine
    assert slice.minimal
    answer.save(tmp_path)
    assert (interp.run(tmp_path / "slice.mlir", *slice.args)[0].storage == 2).all()
    plain = json.loads(answer.to_json())
    assert plain["failure"] == answer.failure
    assert plain["unequal"] == plain["elements"] == 3 * 2 * 8**3
    assert plain["slices"][0]["failure"]
    assert plain["largest"] is None
    assert [row["error"] for row in plain["rows"]] == [answer.failure, "", plain["slices"][0]["failure"]]


def test_the_command_writes_the_slice_and_its_arguments(tmp_path: Path, capsys: Any) -> None:
    source, x = tmp_path / "m.mlir", tmp_path / "x.npy"
    source.write_text(repr(SEVENTHS))
    np.save(x, X)
    out = tmp_path / "slices"
    assert main(["blame", str(source), str(x), "-o", str(out), "--json", str(tmp_path / "a.json")]) == 1
    text = capsys.readouterr().out
    assert "blame: algsimp: with it off, every element is as expected" in text
    assert f"wrote {out}/slice.mlir" in text
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["verdict"] == "passes"
    assert found["passes"] == ["algsimp"]
    (cell,) = interp.run(out / "slice.mlir", np.load(out / "slice0.npy"))
    assert found["slices"][0]["elements"] == cell.storage.size == 1
    assert main(["blame", str(source), str(x), "--xla-option", f"{DISABLED}=algsimp"]) == 0
    assert main(["blame", str(source), str(x), "--impl", "numpy", "--no-slices"]) == 0
    assert main(["blame", str(source), str(x), "--xla-option", "cse"]) == 2
    assert main(["blame", str(source), str(x), "--no-slices", "--csv", "-"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].count(",") >= 4
