"""`dialect="rfc"`: the pretty form and `accumulation_type`, with every example of a reduction in the RFC."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.loading.load import load
from spec.errors import Malformed
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.types import TensorType, make_quantized

# As the RFC has them, with numbers for the placeholders.
WORKED = """
%result = "stablehlo.reduce"(%input, %init_value) ({
    ^reduce_computation(
            %lhs: tensor<!quant.uniform<i32:f32, 0.05:0>>,
            %rhs: tensor<!quant.uniform<i32:f32, 0.05:0>>):
        %add = "stablehlo.add"(%lhs, %rhs)
            : (tensor<!quant.uniform<i32:f32, 0.05:0>>,
               tensor<!quant.uniform<i32:f32, 0.05:0>>)
            -> tensor<!quant.uniform<i32:f32, 0.05:0>>
        "stablehlo.return"(%add)
            : (tensor<!quant.uniform<i32:f32, 0.05:0>>) -> ()
    }) {
        dimensions = dense<1> : tensor<i64>
    } : (tensor<5 x 1 x !quant.uniform<ui8:f32, 0.1:30>>,
         tensor<!quant.uniform<ui8:f32, 0.1:30>>)
    -> tensor<5 x !quant.uniform<ui8:f32, 0.2:128>>
"""
SAID = """
%0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] {
    accumulation_type = tensor<!quant.uniform<i32:f32, 3.400000e+01:16>>
} : (tensor<16x!quant.uniform<i8:f32, 3.400000e+01:16>>, tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>) -> \
tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>
    reducer(%arg2: tensor<!quant.uniform<i32:f32, 3.400000e+01:16>>, \
%arg3: tensor<!quant.uniform<i32:f32, 3.400000e+01:16>>)  {
     %1 = stablehlo.add %arg2, %arg3 : tensor<!quant.uniform<i32:f32, 3.400000e+01:16>>
     stablehlo.return %1 : tensor<!quant.uniform<i32:f32, 3.400000e+01:16>>
    }
"""
TYPES = "!q = !quant.uniform<i8:f32, 0.5>\n!w = !quant.uniform<i32:f32, 0.5>\n"


def agreed(module: Module, *args: np.ndarray) -> list[list[int]]:
    """The results, which the engine, the compiled program and the oracle have to agree on."""
    tensors = [
        Tensor(v.type, tuple(x.ravel().tolist())) for v, x in zip(module.main.inputs, args, strict=True)
    ]
    expected = [list(x.elements) for x in evaluate(module, tensors)]
    assert [x.storage.ravel().tolist() for x in interp.run(module, *args)] == expected
    assert [np.asarray(x).ravel().tolist() for x in interp.compile(module)(*args)] == expected
    return expected


def main(body: str, arguments: str, result: str) -> str:
    return f"{TYPES}func.func @main({arguments}) -> {result} {{\n{body}\n}}"


REDUCE = "%x: tensor<4x!q>, %i: tensor<!q>", "tensor<!q>"


def test_the_worked_example() -> None:
    """(40 - 30) * 0.1 is 1.0, five steps of 0.2 above 128."""
    module = load(WORKED, dialect="rfc")
    given = np.array([[40], [30], [255], [0], [31]], np.uint8), np.uint8(30)
    assert agreed(module, *map(np.asarray, given)) == [[133, 128, 240, 113, 128]]


def test_the_example_of_an_accumulation_type() -> None:
    """Sixteen times 111 steps saturate in the result, not on the way."""
    module = load(SAID, dialect="rfc")
    assert module.main.body.ops[0].location.line == 2
    assert module.main.body.ops[0].regions[0].ops[0].location.line == 6
    assert load(repr(module), dialect="rfc") == module
    x = np.array([127] * 8 + [-95] * 8, np.int8)
    assert agreed(module, x, np.asarray(np.int8(16))) == [[16]]


def test_a_type_that_the_body_does_not_take() -> None:
    module = load(
        SAID.replace(
            "accumulation_type = tensor<!quant.uniform<i32", "accumulation_type = tensor<!quant.uniform<i16"
        ),
        dialect="rfc",
    )
    (violation,) = interp.verify(module)
    assert violation.code == "reduce_r1"
    assert "i16:f32" in violation.evidence
    assert "i32:f32" in violation.evidence


def test_no_accumulation_type_need_be_said() -> None:
    """Nor need the result have the type of the body."""
    body = """%0 = stablehlo.reduce(%x init: %i)
      across dimensions = [0]   // with a comment { (
      : (tensor<4x!q>, tensor<!q>) -> tensor<!q>
      reducer(%a: tensor<!w>,
              %b: tensor<!w>) {
        %1 = stablehlo.add %a, %b : tensor<!w>
        stablehlo.return %1 : tensor<!w>
    }
    return %0 : tensor<!q>"""
    module = load(main(body, *REDUCE), dialect="rfc")
    reduce = module.main.body.ops[0]
    assert [value.name for value in reduce.regions[0].arguments] == ["%a", "%b"]
    assert reduce.regions[0].ops[0].location.line == 9
    assert reduce.regions[0].ops[0].result.name == "%1"
    assert agreed(module, np.array([100, 100, -90, 1], np.int8), np.asarray(np.int8(0))) == [[111]]


def test_several_operands_and_a_reduce_in_a_body() -> None:
    body = """%0:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [0]
      : (tensor<4x!q>, tensor<4xi32>, tensor<!q>, tensor<i32>) -> (tensor<!q>, tensor<i32>)
      reducer(%a: tensor<!w>, %b: tensor<!w>) (%c: tensor<i32>, %d: tensor<i32>) {
        %1 = stablehlo.add %a, %b : tensor<!w>
        %2 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
        %3 = stablehlo.reduce(%2 init: %d) applies stablehlo.maximum across dimensions = [0]
          : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
        stablehlo.return %1, %3 : tensor<!w>, tensor<i32>
    }
    return %0#0, %0#1 : tensor<!q>, tensor<i32>"""
    arguments = "%x: tensor<4x!q>, %y: tensor<4xi32>, %i: tensor<!q>, %j: tensor<i32>"
    module = load(main(body, arguments, "(tensor<!q>, tensor<i32>)"), dialect="rfc")
    args = [100, 100, -90, 1], [3, 9, -4, 5], 0, -7
    dtypes = np.int8, np.int32, np.int8, np.int32
    assert agreed(module, *map(np.array, args, dtypes)) == [[111], [9]]


def test_a_body_that_is_only_named() -> None:
    """It takes the accumulation type that is said, else the type of the init value."""
    text = """%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]SAID
      : (tensor<4x!q>, tensor<!q>) -> tensor<!q>
    return %0 : tensor<!q>"""
    wide = make_quantized("i32", "f32", 0.5)
    x = np.array([100, 100, -90, 1], np.int8), np.asarray(np.int8(0))
    said = load(main(text.replace("SAID", " {accumulation_type = tensor<!w>}"), *REDUCE), dialect="rfc")
    assert said.main.body.ops[0].regions[0].arguments[0].type == TensorType((), wide)
    assert agreed(said, *x) == [[111]]
    plain = load(main(text.replace("SAID", ""), *REDUCE), dialect="rfc")
    assert agreed(plain, *x) == [[38]]  # 127 - 90 + 1


def test_another_accumulator_says_no_type() -> None:
    module = load(SAID, dialect="rfc")
    wider = interp.with_accumulator(module, "%0", make_quantized("i16", "f32", 34.0, 16))
    assert interp.verify(wider) == []
    assert "accumulation_type" not in wider.main.body.ops[0].attributes


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("%0 = stablehlo.reduce(%x, %i) across dimensions = [0] : (tensor<!q>) -> tensor<!q>", 4),
        ("\n%0 = stablehlo.reduce(%x init: %i) dimensions = [0] : (tensor<!q>) -> tensor<!q>", 5),
        ("%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] {", 5),
        ("%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : tensor<!q>", 4),
        ("%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<!q>) ->", 5),
        ("%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4x!q>) -> tensor<!q>", 4),
        ("%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (T) -> T reducer(%a: T) {}", 4),
    ],
)
def test_damaged_text_is_refused(text: str, line: int) -> None:
    with pytest.raises(Malformed, match=rf"line {line}: this reduce cannot be read") as error:
        load(main(text, *REDUCE), dialect="rfc")
    assert "expected `stablehlo.reduce" in error.value.evidence


def test_the_rest_of_a_pretty_program_is_verified_by_jaxlib() -> None:
    with pytest.raises(Malformed, match="add"):
        load(main("%0 = stablehlo.add %x, %i : tensor<!q>\nreturn %0 : tensor<!q>", *REDUCE), dialect="rfc")
