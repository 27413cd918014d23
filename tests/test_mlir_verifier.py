"""`mlir` mode against jaxlib's own verifier, on random programs and slightly broken ones.

jaxlib judges in the loader's child process: `load` refuses what its verifier refuses, and `checked=False`
reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from interp.loading.load import load
from spec.errata import ERRATA
from spec.errors import Malformed
from spec.rules.verify import CONSTRAINTS, verify
from tests.library.strategies.broken_programs import broken


class Difference(NamedTuple):
    """Constraints that `mlir` mode keeps though jaxlib's verifier does not: the erratum, why, an example."""

    erratum: str
    codes: tuple[str, ...]
    reason: str
    example: str


def program(operands: str, result: str, operation: str) -> str:
    """A function around `"op"(%0, %1, ...) ...`; types are separated by semicolons."""
    types = [f"tensor<{type.strip()}>" for type in operands.split(";")]
    arguments = ", ".join(f"%{k}: {type}" for k, type in enumerate(types))
    values = ", ".join(f"%{k}" for k in range(len(types)))
    name, _, rest = operation.partition(" ")
    return f"""func.func @main({arguments}) -> tensor<{result}> {{
      %r = "{name}"({values}) {rest} : ({", ".join(types)}) -> tensor<{result}>
      return %r : tensor<{result}>
    }}"""


def region(operation: str, operand: str, result: str) -> str:
    signature = f"(tensor<{operand}>, tensor<{operand}>) -> tensor<{result}>"
    return f"""{{
      ^bb0(%a: tensor<{operand}>, %b: tensor<{operand}>):
        %y = "stablehlo.{operation.partition(" ")[0]}"(%a, %b) {operation.partition(" ")[2]} : {signature}
        "stablehlo.return"(%y) : (tensor<{result}>) -> ()
      }}"""


SUM = region("add", "f32", "f32")
GREATER = "compare {comparison_direction = #stablehlo<comparison_direction GE>}"
DOT = "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>"
CONVOLUTION = (
    "{dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, batch_group_count = 1 : i64, "
    "feature_group_count = 1 : i64}"
)
WINDOW = "window_dimensions = array<i64: 1>, window_strides = array<i64: 1>"
NO_ZERO_POINT, NO_SCALE = "2x!quant.uniform<i8:f32, 0.5:300>", "3x!quant.uniform<i8:f32:0, {0.5, 0.5}>"

DIFFERENCES = (
    Difference(
        "E20",
        ("quantized_type_c7",),
        "a zero point outside the storage range would be no stored value",
        f"func.func @main(%x: tensor<{NO_ZERO_POINT}>) {{ return }}",
    ),
    Difference(
        "E20",
        ("quantized_type_c13",),
        "a slice without a scale has no values",
        f"func.func @main(%x: tensor<{NO_SCALE}>) {{ return }}",
    ),
    Difference(
        "E18",
        ("bitcast_convert_c1",),
        "the bits of two elements are not those of four",
        program("2xi16", "2x2xi16", "stablehlo.bitcast_convert"),
    ),
    Difference(
        "E19",
        ("dot_general_o1",),
        "a product of floats is no integer",
        program("2xf32; 2xf32", "i8", f"stablehlo.dot_general {{dot_dimension_numbers = {DOT}}}"),
    ),
    Difference(
        "E19",
        ("convolution_o1",),
        "a product of floats is no integer",
        program("1x1xf32; 1x1xf32", "1x1xi8", f"stablehlo.convolution {CONVOLUTION}"),
    ),
    Difference(
        "E21",
        ("select_and_scatter_c9",),
        "nothing converts what select sees",
        program(
            "2xf32; 2xf32; f32",
            "2xf32",
            f"stablehlo.select_and_scatter ({region(GREATER, 'bf16', 'i1')}, {SUM}) {{{WINDOW}}}",
        ),
    ),
    Difference(
        "E25",
        ("reduce_c3", "reduce_window_c1"),
        "the last of an odd number of operands is neither input nor init value",
        program("2xf32; f32; f32", "f32", f"stablehlo.reduce ({SUM}) {{dimensions = array<i64: 0>}}"),
    ),
)
KNOWN = {code for difference in DIFFERENCES for code in difference.codes}

# What `strict` mode refuses and jaxlib's verifier accepts, as docs/conformance.md lists it.
STRICTER = {
    "compare_c3": "jaxlib does not look at compare_type",
    "all_reduce_c5": "as reduce_c6 (E6)",
    "all_reduce_c7": "as reduce_c8 (E14)",
    "collective_reduce_c4": "as reduce_c6 (E6)",
    "dynamic_conv_c24": "as convolution_c24",
    "dynamic_conv_c27": "as convolution_c27 (E19)",
    "dynamic_gather_c1": "jaxlib does not count the dimensions of the operand",
    "reduce_scatter_c7": "as reduce_c6 (E6)",
    "reduce_scatter_c9": "as reduce_c8 (E14)",
    "scatter_c6": "jaxlib takes updates of another element type than the inputs'",
    "scatter_c23": "as reduce_c6 (E6)",
    "scatter_c25": "as reduce_c8 (E14)",
    "convolution_c27": "jaxlib lets the result of plain operands have another type (E19)",
    "convolution_c24": "jaxlib takes fewer words of precision_config than operands",
    "dot_general_c11": "as convolution_c24",
    "dot_general_c13": "jaxlib lets plain operands differ in type (E19)",
    "reduce_c2": "jaxlib takes init values of any type that promotes to the body's (E12)",
    "reduce_c6": "jaxlib promotes any float to any float, and booleans like integers of one bit (E6)",
    "reduce_c8": "jaxlib lets results differ from the body in scale and zero point (E14)",
    "reduce_window_c3": "as reduce_c2 (E12)",
    "reduce_window_c13": "as reduce_c6 (E6)",
    "reduce_window_c16": "as reduce_c8 (E14)",
    "select_and_scatter_c1": "jaxlib lets the source be a float of another precision than the operand (E12)",
    "select_and_scatter_c3": "jaxlib takes an init value of any type that promotes to scatter's (E12)",
    "select_and_scatter_c10": "as reduce_c6, for the source (E6)",
    "select_and_scatter_c12": "as reduce_c8 (E14)",
}


def is_accepted(text: str) -> bool:
    """Return whether jaxlib's verifier accepts the program."""
    try:
        load(text)
    except Malformed:
        return False
    return True


def codes(text: str, mode: str) -> set[str]:
    """The violations of what is read unverified; where even that fails, jaxlib's parser has refused it."""
    try:
        return {violation.code for violation in verify(load(text, checked=False), mode)}
    except Malformed:
        return {"unreadable"}


@settings(max_examples=125, deadline=None)
@given(broken())
def test_mlir_mode_is_jaxlibs_verifier(module: object) -> None:
    text = repr(module)
    found = codes(text, "mlir")
    if is_accepted(text):
        assert not found or found & KNOWN, found
        assert found or codes(text, "strict") <= STRICTER.keys()
    else:
        assert found


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.codes[0])
def test_a_difference_is_one(difference: Difference) -> None:
    """Should jaxlib come to refuse it, it is none anymore."""
    assert is_accepted(difference.example)
    found = [violation.code for violation in verify(load(difference.example), "mlir")]
    assert difference.codes[0] in found
    assert difference.erratum in {row.id for row in ERRATA}


def stricter_rows() -> Iterator[str]:
    for name, rows in CONSTRAINTS.items():
        yield from (f"{name.rpartition('.')[2]}_{row.label}" for row in rows if row.mlir)


def test_the_stricter_rows_are_listed() -> None:
    assert set(stricter_rows()) == STRICTER.keys()
