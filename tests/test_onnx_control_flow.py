"""Control flow, sequences, and sizes that data decide in ONNX models: the same bits as onnxruntime."""

# ruff: noqa: E402

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

import interp
from interp.__main__ import main
from interp.apps.onnx.loading.operators import TABLE

X = np.linspace(-2, 3, 12, dtype=np.float32).reshape(3, 4)
ONE, TRUE = np.int64(1), np.bool_(True)


def parsed(text: str, opset: int = 18) -> Any:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> {text}')


def agree(model: Any, *args: Any) -> interp.Module:
    """Compare a model's results with onnxruntime's, bit for bit, and return the program that ran."""
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [info.name for info in model.graph.input]
    wanted = session.run(None, dict(zip(names, map(np.asarray, args), strict=True)))
    wanted = [x for part in wanted for x in (part if isinstance(part, list) else [part])]
    program = interp.refine(interp.load(model), *args)
    results = interp.run(program, *args)
    assert [(x.shape, np.asarray(x).tolist()) for x in results] == [(x.shape, x.tolist()) for x in wanted]
    return program


def operations(program: interp.Module) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in program.ops()]


# If

BRANCHES = """g (bool c, float[3,4] x) => (float[A,B] y) {
  two = Constant <value = float {2}> ()
  y = If (c) <
    then_branch = t () => (float[P,Q] a) { a = Mul(x, two) },
    else_branch = e () => (float[R,S] b) { %s }
  >
}"""


@pytest.mark.parametrize("condition", [False, True])
def test_if_with_branches_of_one_type_stays_an_if(condition: bool) -> None:
    program = agree(parsed(BRANCHES % "b = Neg(x)"), np.bool_(condition), X)
    assert "if" in operations(program)


@pytest.mark.parametrize("condition", [False, True])
def test_the_condition_of_branches_of_different_shapes_comes_from_the_arguments(condition: bool) -> None:
    model = parsed(BRANCHES % "b = Transpose(x)")
    program = agree(model, np.bool_(condition), X)
    assert "if" not in operations(program)
    with pytest.raises(interp.Unsupported, match=r"\(If\): input 0 \('c'\) follows from the values of 'c'"):
        interp.prove(interp.load(model))


# Loop

POWERS = """g (int64 m, bool c, float[3,4] x, float most) => (float[3,4] y, float[T,3,4] all) {
  y, all = Loop (m, c, x) <
    body = b (int64 k, bool on, float[3,4] v) => (bool goes_on, float[3,4] w, float[3,4] row) {
      step = Cast <to = 1> (k)
      w = Add(v, step)
      row = Mul(w, x)
      %s
    }
  >
}"""
ALWAYS = "goes_on = Identity(on)"
WHILE_SMALL = "all_of = ReduceSum <keepdims = 0> (w)   goes_on = Less(all_of, most)"


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("ends", [ALWAYS, WHILE_SMALL])
def test_loops_that_stack_results(count: int, ends: str) -> None:
    """The condition is computed from exact sums: all numbers are small multiples of powers of two."""
    x = np.arange(12, dtype=np.float32).reshape(3, 4) / 4
    program = agree(parsed(POWERS % ends), np.int64(count), TRUE, x, np.float32(60))
    assert ("while" in operations(program)) == (count > 0)


def test_a_loop_without_stacks_needs_no_values() -> None:
    """The trip count and the condition stay arguments of one program."""
    text = """g (int64 m, bool c, float[2] x) => (float[2] y) {
      limit = Constant <value = float {100}> ()
      y = Loop (m, c, x) <
        body = b (int64 k, bool on, float[2] v) => (bool goes_on, float[2] w) {
          w = Add(v, v)  top = ReduceMax <keepdims = 0> (w)  goes_on = Less(top, limit)
        }
      >
    }"""
    program = interp.load(parsed(text))
    assert not program.is_dynamic
    for args in ((np.int64(3), TRUE), (np.int64(30), TRUE), (np.int64(3), np.bool_(False))):
        assert agree(parsed(text), *args, np.float32([1, 3])) == program


def test_a_loop_whose_shapes_grow_is_unrolled() -> None:
    text = """g (int64 m, float[2] x) => (float[N] y) {
      y = Loop (m, , x) <
        body = b (int64 k, bool on, float[P] v) => (bool goes_on, float[Q] w) {
          w = Concat <axis = 0> (v, x)  goes_on = Identity(on)
        }
      >
    }"""
    for count in (0, 4):
        program = agree(parsed(text), np.int64(count), np.float32([1, 3]))
        assert operations(program).count("concatenate") == count


def test_a_loop_builds_a_sequence() -> None:
    text = """g (int64 m, float[3,4] x) => (float[N,4] y, int64 size) {
      empty = SequenceEmpty <dtype = 1> ()
      parts = Loop (m, , empty) <
        body = b (int64 k, bool on, seq(float[P,4]) v) => (bool goes_on, seq(float[Q,4]) w) {
          zero = Constant <value = int64[1] {0}> ()
          end = Unsqueeze(k, zero)
          part = Slice(x, zero, end, zero)
          w = SequenceInsert(v, part)  goes_on = Identity(on)
        }
      >
      size = SequenceLength(parts)
      y = ConcatFromSequence <axis = 0> (parts)
    }"""
    agree(parsed(text), np.int64(4), X)


def test_loops_in_loops_see_the_names_around_them() -> None:
    text = """g (int64 m, float[3] x) => (float[3] y, float[T,3] all) {
      two = Constant <value = int64 {2}> ()
      y, all = Loop (m, , x) <
        body = b (int64 k, bool on, float[3] v) => (bool goes_on, float[3] w, float[3] copy) {
          goes_on = Identity(on)
          w = Loop (two, , v) <
            body = c (int64 j, bool inner_on, float[3] u) => (bool more, float[3] t) {
              more = Identity(inner_on)
              n = Add(j, k)  f = Cast <to = 1> (n)
              s = Add(u, f)  t = Add(s, x)
            }
          >
          copy = Identity(w)
        }
      >
    }"""
    program = agree(parsed(text), np.int64(3), np.float32([1, 2, 3]))
    assert operations(program).count("while") == 2


# Scan


@pytest.mark.parametrize("axes", [(0, 0), (1, -1)])
@pytest.mark.parametrize("directions", [(0, 0), (1, 0), (0, 1)])
def test_scan_along_axes_in_both_directions(axes: Any, directions: Any) -> None:
    text = f"""g (float[3] s, float[3,3] x) => (float[3] last, float[3,3] all) {{
      last, all = Scan (s, x) <
        num_scan_inputs = 1,
        scan_input_axes = [{axes[0]}], scan_output_axes = [{axes[1]}],
        scan_input_directions = [{directions[0]}], scan_output_directions = [{directions[1]}],
        body = b (float[3] v, float[3] row) => (float[3] w, float[3] out) {{
          w = Add(v, row)  out = Sub(w, s)
        }}
      >
    }}"""
    x = np.arange(9, dtype=np.float32).reshape(3, 3) ** 2
    program = agree(parsed(text), np.float32([1, 2, 3]), x)
    assert "while" in operations(program)


def test_scan_of_version_8_has_a_batch() -> None:
    text = """g (int64[2] n, float[2,1] s, float[2,3,1] x) => (float[2,1] last, float[2,3,1] all) {
      last, all = Scan (n, s, x) <
        num_scan_inputs = 1, directions = [1],
        body = b (float[1] v, float[1] row) => (float[1] w, float[1] out) {
          w = Add(v, row)  out = Identity(w)
        }
      >
    }"""
    x = np.float32([[[1], [2], [4]], [[8], [16], [32]]])
    agree(parsed(text, 8), np.int64([3, 2]), np.float32([[0], [100]]), x)


# Sizes that data decide


SELECTIONS = {
    "int64[2,N] y": "y = NonZero(x)",
    "float[N] y": """big = Greater(x, zero)  places = NonZero(big)  back = Transpose(places)
      y = GatherND(x, back)""",
    "float[N,4] y": """top = ReduceMax <keepdims = 0> (x, axis)  keep = Greater(top, zero)
      y = Compress <axis = 0> (x, keep)""",
    "int64[N] y": "big = Greater(x, zero)  n = Cast <to = 7> (big)  y = Unique(n)",
    "int64[M] y": """big = Greater(x, zero)  n = Cast <to = 7> (big)  count = ReduceSum <keepdims = 0> (n)
      z = Constant <value = int64 {0}> ()  o = Constant <value = int64 {1}> ()  y = Range(z, count, o)""",
}


@pytest.mark.parametrize("output", SELECTIONS)
def test_numbers_of_results_follow_from_the_arguments(output: str) -> None:
    if "GatherND" in SELECTIONS[output] and ("", "GatherND") not in TABLE:
        pytest.skip("GatherND has no builder")
    constants = "zero = Constant <value = float {0}> ()  axis = Constant <value = int64[1] {1}> ()"
    model = parsed(f"g (float[3,4] x) => ({output}) {{ {constants} {SELECTIONS[output]} }}")
    assert interp.load(model).is_dynamic
    for x in (X, -np.abs(X), np.zeros_like(X), np.abs(X) + 1):
        agree(model, x)


def selecting() -> Any:
    return parsed("g (float[N] x) => (int64[1,M] y) { y = NonZero(x) }")


def test_a_program_of_some_sizes_takes_no_values_of_others() -> None:
    """A survey and quantization refine a program once, for the first values."""
    same, other = np.float32([0, 1, 2]), np.float32([1, 1, 2])
    for verb in (interp.survey, interp.quantize):
        verb(interp.load(selecting()), [(same,), (2 * same,)])
        with pytest.raises(interp.Unsupported, match="sizes depend on the values of arguments"):
            verb(interp.load(selecting()), [(same,), (other,)])


@pytest.mark.parametrize("verb", [interp.prove, interp.raise_qdq, interp.lint])
def test_unknown_sizes_name_the_call_to_make(verb: Any) -> None:
    with pytest.raises(interp.Unsupported, match=r"interp\.load\(path, dims={'N': 1}\); --dims N=1"):
        verb(interp.load(selecting()))


def test_the_command_takes_sizes_by_name(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(parsed("g (float[N,3] x) => (float[N,3] y) { y = Neg(x) }"), path)
    assert main(["prove", str(path)]) == 2
    assert "--dims N=1" in capsys.readouterr().err
    assert main(["prove", str(path), "--dims", "N"]) == 2
    assert "--dims N=100" in capsys.readouterr().err
    assert main(["show", str(path), "--dims", "N=5"]) == 0
    assert "tensor<5x3xf32>" in capsys.readouterr().out


# Sequences that enter and leave


def test_tensors_of_a_sequence_are_arguments_and_results() -> None:
    text = """g (seq(float[A]) s, float[2] x) => (seq(float[B]) t) {
      zero = Constant <value = int64 {0}> ()
      t = SequenceInsert(s, x, zero)
    }"""
    model = parsed(text)
    with pytest.raises(interp.Unsupported, match=r"give the shapes of its tensors.*dims={'s': \[\(2, 3\)\]}"):
        interp.load(model)
    program = interp.load(model, dims={"s": [(3,), (1,)]})
    assert list(map(repr, program.main.inputs)) == [
        "%s.0: tensor<3xf32>",
        "%s.1: tensor<1xf32>",
        "%x: tensor<2xf32>",
    ]
    arrays = [np.ones(n, np.float32) * n for n in (3, 1, 2)]
    assert [x.tolist() for x in interp.run(program, *arrays)] == [[2, 2], [3, 3, 3], [1]]


def test_an_optional_is_empty_unless_dims_has_it() -> None:
    text = "g (optional(float[A]) o) => (bool y) { y = OptionalHasElement(o) }"
    assert interp.run(interp.load(parsed(text)))[0].tolist() is False
    assert interp.run(interp.load(parsed(text), dims={"o": [(2,)]}), np.float32([1, 2]))[0].tolist() is True
