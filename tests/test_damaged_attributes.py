"""Attributes that are missing or of another kind: an error of ours that names the operation and its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.loading.load import load
from spec.errors import Location, Malformed
from spec.ir import Op
from spec.quantized import make_quantized
from spec.rules.verify import verify

EXPORT = Path(__file__).resolve().parent.parent / "testdata/exports/jax_linear_algebra.export"
# What LAPACK's routines read besides arrays, by their manual: characters, and the rows of `gehrd`.
KEYS = [
    ("potrf", "uplo"), ("sytrd", "uplo"), ("syevd", "mode"), ("syevd", "uplo"), ("gesdd", "mode"),
    ("geev", "compute_left"), ("geev", "compute_right"), ("gees", "mode"), ("gehrd", "low"),
    ("gehrd", "high"), ("trsm", "side"), ("trsm", "uplo"), ("trsm", "trans_x"), ("trsm", "diag"),
]  # fmt: skip
VALID = {
    "uplo": 76, "mode": 78, "compute_left": 78, "compute_right": 78, "low": 1, "high": 2, "side": 76,
    "trans_x": 78, "diag": 78,
}  # fmt: skip


def call(routine: str, config: str) -> str:
    return f"""func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {{
  %0 = stablehlo.custom_call @lapack_s{routine}_ffi(%x) {{mhlo.backend_config = {config}}} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}}"""  # noqa: E501


@pytest.mark.parametrize(("routine", "key"), KEYS)
def test_a_key_of_lapack_is_missing_or_no_character_of_its(routine: str, key: str) -> None:
    names = [name for other, name in KEYS if other == routine]
    without = ", ".join(f"{name} = {VALID[name]} : ui8" for name in names if name != key)
    x = np.eye(2, dtype=np.float32)
    with pytest.raises(Malformed, match=f"@lapack_s{routine}_ffi has no {key}") as raised:
        interp.run(call(routine, f"{{{without}}}"), x)
    assert raised.value.where.line == 2
    for value in ('"L"', "76.0 : f32", "[76]", "unit"):
        with pytest.raises(Malformed, match=f"has no {key}"):
            interp.run(call(routine, f"{{{', '.join(filter(None, [without, f'{key} = {value}']))}}}"), x)
    other = f"{{{', '.join(filter(None, [without, f'{key} = 33 : ui8']))}}}"
    with pytest.raises(Malformed, match=f"{key} = 33|low and high are"):
        interp.run(call(routine, other), x)


def test_operands_and_results_of_lapack_are_those_of_the_routine() -> None:
    x = np.eye(2, dtype=np.float32)
    with pytest.raises(Malformed, match="1 results, expected 2"):
        interp.run(call("potrf", "{uplo = 76 : ui8}"), x)
    text = call("potrf", "{uplo = 76 : ui8}").replace(
        "-> tensor<2x2xf32>\n", "-> (tensor<2x2xf32>, tensor<i32>)\n"
    )
    text = text.replace("%0 =", "%0:2 =").replace("return %0", "return %0#0")
    assert interp.run(text, x)[0].storage.tolist() == [[1, 0], [0, 1]]
    for old, new, match in (
        ("spotrf", "dpotrf", "operands of f32, expected f64"),
        ("tensor<i32>", "tensor<3xi32>", "results of the types"),
    ):
        with pytest.raises(Malformed, match=match):
            interp.run(text.replace(old, new), x)


def test_a_config_that_is_no_dictionary() -> None:
    for config in ('"uplo"', "3 : i32", "@main", "unit"):
        with pytest.raises(Malformed, match="has no uplo"):
            interp.run(call("potrf", config), np.eye(2, dtype=np.float32))


def test_the_export_runs_as_it_is() -> None:
    found = interp.load(EXPORT)
    assert interp.run(found, *(np.eye(4, dtype=np.float32),))


def test_a_missing_attribute_is_malformed_and_names_the_operation() -> None:
    op = Op("stablehlo.iota", (), (), {"x": 1}, (), Location("m.mlir", 3, 5))
    with pytest.raises(Malformed) as raised:
        op["iota_dimension"]
    assert str(raised.value) == "m.mlir:3:5: stablehlo.iota has no iota_dimension\n  its attributes: x"
    assert isinstance(raised.value, KeyError)  # which predicates of constraints expect


def test_a_call_without_a_target_is_read_and_judged() -> None:
    text = """module { func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.custom_call"(%x) {} : (tensor<f32>) -> tensor<f32>
      "func.return"(%0) : (tensor<f32>) -> () } }"""
    module = interp.load(text, checked=False)
    assert [v.code for v in interp.verify(module)][:1] == ["custom_call_i2"]


@pytest.mark.parametrize(
    ("op", "attribute"),
    [
        ("all_to_all", "channel_handle = #s<type = []>"),
        ("convolution", "dimension_numbers = #s<<[[]]>[]>"),
        ("dot_general", "dot_dimension_numbers = #s<lhs_batching_dimensions = >"),
        ("dot_general", "algorithm = #s<lhs_precision_type = tf32>"),
    ],
)
def test_an_attribute_of_a_dialect_that_nobody_knows_is_judged(op: str, attribute: str) -> None:
    text = f"""module {{ func.func @main(%x: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {{
      %0 = "stablehlo.{op}"(%x) {{{attribute}}} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      "func.return"(%0) : (tensor<1x1x1xf32>) -> () }} }}"""
    assert interp.verify(interp.load(text, checked=False))


@pytest.mark.parametrize(
    "value", ["array<i64: 0, 1>", "dense<[0, 1]> : tensor<2xi64>", "dense<1> : tensor<i64>"]
)
@pytest.mark.parametrize("name", ["replica_groups", "padding", "source_target_pairs"])
def test_a_table_that_is_a_list_is_printed(name: str, value: str) -> None:
    text = f"""module {{ func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %0 = "stablehlo.abs"(%x) {{{name} = {value}}} : (tensor<f32>) -> tensor<f32>
      "func.return"(%0) : (tensor<f32>) -> () }} }}"""
    module = interp.load(text, checked=False)
    assert interp.load(repr(module), checked=False) == module


def test_a_contraction_of_nothing_is_traced() -> None:
    """A sum of no products, contracted over both dimensions, has bounds: zero."""
    element = "!quant.uniform<i8:f32, 0.5>"
    text = f"""func.func @main(%x: tensor<1x0x{element}>, %y: tensor<0x1x{element}>) -> tensor<{element}> {{
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [1, 0] : (tensor<1x0x{element}>, tensor<0x1x{element}>) -> tensor<{element}>
      return %0 : tensor<{element}>
    }}"""  # noqa: E501
    t = interp.trace(text, np.zeros((1, 0), np.int8), np.zeros((0, 1), np.int8))
    assert [out.storage.tolist() for out in t.results] == [0]
    assert str(t.summary())
    assert t.bounds()


@pytest.mark.parametrize(
    ("type", "result", "value"),
    [
        ("f32", "i32", "0.000000e+00"),
        ("f16", "bf16", "1.500000e+00"),
        ("i8", "ui8", "200"),
        ("i64", "complex<f32>", "7"),
        ("f32", "!quant.uniform<i32:f32, 0.5>", "1.500000e+00"),
    ],
)
def test_a_constant_of_another_type_than_its_result_is_a_violation(
    type: str, result: str, value: str
) -> None:
    """A number is read by the type beside it, not by a result's type of as many bits."""
    text = f"""module {{ func.func @main() -> tensor<{result}> {{
      %0 = "stablehlo.constant"() {{value = dense<{value}> : tensor<{type}>}} : () -> tensor<{result}>
      "func.return"(%0) : (tensor<{result}>) -> () }} }}"""
    module = interp.load(text, checked=False)
    assert repr(next(module.ops())["value"].type) == f"tensor<{type}>"
    assert "constant_c1" in [v.code for v in interp.verify(module)]


@pytest.mark.parametrize("storage", ["i8", "ui8"])
def test_a_quantized_constant_is_written_with_its_storage_type(storage: str) -> None:
    type = f"!quant.uniform<{storage.replace('ui', 'u')}:f32, 0.5>"
    text = f"""func.func @main() -> tensor<2x{type}> {{
      %0 = stablehlo.constant() {{value = dense<[3, 4]> : tensor<2xi8>}} : () -> tensor<2x{type}>
      return %0 : tensor<2x{type}>
    }}""".replace("stablehlo.constant", '"stablehlo.constant"')
    (out,) = interp.run(interp.load(text))
    assert out.storage.tolist() == [3, 4]


FOREIGN = [
    "padding = array<i64: 0, 0>",
    'padding = "same"',
    'window_dimensions = "x"',
    "base_dilations = array<i64: 1, 2, 3>",
    "lhs_dilation = array<i64: 5>",
    "input_spatial_dimensions = array<i64: 7>",
]
ADD = """({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32> })"""
ON_VECTORS = {  # operations on %x and %i, with a place for attributes
    "abs": ('"stablehlo.abs"(%x) {{{}}} : (tensor<4xf32>) -> tensor<4xf32>', "tensor<4xf32>", ()),
    "reduce": (
        f'"stablehlo.reduce"(%x, %i) {ADD.replace("{", "{{").replace("}", "}}")} '
        "{{dimensions = array<i64: 0>, {}}} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
        "tensor<f32>",
        (),
    ),
    "reduce_window": (
        f'"stablehlo.reduce_window"(%x, %i) {ADD.replace("{", "{{").replace("}", "}}")} '
        "{{window_dimensions = array<i64: 2>, {}}} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>",
        "tensor<3xf32>",
        ("padding", "window_dimensions", "base_dilations"),
    ),
}


@pytest.mark.parametrize("attribute", FOREIGN)
@pytest.mark.parametrize("kind", ON_VECTORS)
def test_a_name_of_another_operations_attribute_says_nothing(kind: str, attribute: str) -> None:
    """MLIR lets an operation have any attribute; only those of its kind have a meaning."""
    text, result, own = ON_VECTORS[kind]
    if attribute.partition(" ")[0] in own:
        return
    program = f"""func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> {result} {{
      %0 = {text.format(attribute)}
      return %0 : {result} }}"""
    module = interp.load(program)
    args = np.arange(4, dtype=np.float32), np.float32(0)
    wanted = {"abs": [0, 1, 2, 3], "reduce": 6, "reduce_window": [1, 3, 5]}[kind]
    assert interp.run(module, *args)[0].storage.tolist() == wanted
    assert np.asarray(interp.compile(module)(*args)[0]).tolist() == wanted
    assert interp.compare(module, *args).ok
    assert interp.lint(module) is not None
    assert str(interp.plan(module, *args))
    if kind != "abs":
        assert str(interp.trace(module, *args).summary())


def broken_rows(op: str, mode: str) -> list[str]:
    """Return the codes of the rows that an operation on tensor<4xf32> breaks, read unchecked."""
    name, _, rest = op.partition("(")
    operands, _, attributes = rest.partition(") ")
    types = "tensor<4xf32>" if operands else ""
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = "stablehlo.{name}"({operands}) {attributes} : ({types}) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""
    return [violation.code for violation in verify(load(text, checked=False), mode)]


@pytest.mark.parametrize(
    ("op", "code"),
    [
        (
            "reduce_precision(%x) {exponent_bits = dense<1> : tensor<2xi64>, mantissa_bits = 2 : i32}",
            "reduce_precision_c2",
        ),
        (
            "reduce_precision(%x) {exponent_bits = 2 : i32, mantissa_bits = dense<1> : tensor<2xi64>}",
            "reduce_precision_c3",
        ),
        ("iota() {iota_dimension = dense<0> : tensor<2xi64>}", "iota_i1"),
    ],
)
def test_a_list_is_not_one_number(op: str, code: str) -> None:
    """`1 <= exponent_bits` would hold of each number of a list; the attribute is one number."""
    assert broken_rows(op, "mlir") == [code]


SUM = """({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> () })"""
LISTED = {  # the row that says that a list is one of integers, and what else an operation has
    "reduce_i3": ("dimensions", ["1, 0"], "(%x, %i) " + SUM, ""),
    "transpose_i2": ("permutation", ["1, 0", "0, 1"], "(%x)", ""),
    "broadcast_in_dim_i2": ("broadcast_dimensions", ["1, 0", "0, 1"], "(%x)", ""),
    "reverse_i2": ("dimensions", ["0, 1", "1", "0"], "(%x)", ""),
    "slice_i4": (
        "strides",
        ["1, 1"],
        "(%x)",
        ", start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1>",
    ),
    "pad_i3": (
        "edge_padding_low",
        ["0, 0"],
        "(%x, %i)",
        ", edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>",
    ),
}


@pytest.mark.parametrize("code", LISTED)
def test_a_list_of_booleans_is_not_one_of_integers(code: str) -> None:
    """MLIR's verifier refuses it, and an index of booleans is a mask to NumPy."""
    name, lists, rest, others = LISTED[code]
    operands = "tensor<1x1xf32>, tensor<f32>" if "%i" in rest else "tensor<1x1xf32>"
    result = "tensor<f32>" if code == "reduce_i3" else "tensor<1x1xf32>"
    for numbers in lists:
        flags = numbers.replace("1", "true").replace("0", "false")
        for attribute, codes in ((f"i64: {numbers}", []), (f"i1: {flags}", [code])):
            text = f"""func.func @main(%x: tensor<1x1xf32>, %i: tensor<f32>) -> {result} {{
              %0 = "stablehlo.{code.rpartition("_")[0]}"{rest} {{{name} = array<{attribute}>{others}}} : ({operands}) -> {result}
              "func.return"(%0) : ({result}) -> ()
            }}"""  # noqa: E501
            module = load(text, checked=False)
            for mode in ("strict", "mlir"):
                found = verify(module, mode)
                assert [violation.code for violation in found] == codes
                assert all(violation.where.line == 2 for violation in found)


@pytest.mark.parametrize(
    ("op", "code"),
    [
        ("iota() {iota_dimension = false}", "iota_i1"),
        ("concatenate(%x) {dimension = false}", "concatenate_i2"),
        (
            "all_gather(%x) {all_gather_dim = false, replica_groups = dense<0> : tensor<1x1xi64>}",
            "all_gather_i2",
        ),
        (
            "collective_permute(%x) {source_target_pairs = dense<false> : tensor<1x2xi1>}",
            "collective_permute_i2",
        ),
    ],
)
def test_a_boolean_is_not_an_integer(op: str, code: str) -> None:
    assert code in broken_rows(op, "strict")


UNREAD = [
    ("all_reduce", "channel_handle = #stablehlo.channel_handle<type = [0]>"),
    ("all_reduce", 'channel_handle = #stablehlo.channel_handle<type = [""]>'),
    ("all_reduce", "channel_handle = #stablehlo.channel_handle<handle = 1, typ = 0>"),
    ("all_reduce", f"channel_handle = #stablehlo.channel_handle<handle = {'9' * 5000}>"),
    ("all_reduce", "channel_handle = 1 : i64"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f, f]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f, a]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 1, f]x[0, i, o]->[b, 0, f]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[]>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<>"),
    ("convolution", "dimension_numbers = #stablehlo.conv<raw input_batch_dimension = [0]>"),
    ("dot_general", "dot_dimension_numbers = #stablehlo.dot<lhs_concting_dimensions = [0]>"),
    ("dot_general", "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [a, 0]>"),
    ("dot_general", "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = 0>"),
    ("gather", "dimension_numbers = #stablehlo.gather<index_vector_dim = [1]>"),
    ("gather", f"dimension_numbers = #stablehlo.gather<index_vector_dim = {'9' * 5000}>"),
    ("compare", "comparison_direction = #stablehlo<comparison GT>"),
    ("compare", "comparison_direction = #stablehlo<comparison_direction GT EQ>"),
    ("compare", "comparison_direction = [#stablehlo<comparison_direction GT>, true]"),
]


@pytest.mark.parametrize(("op", "attribute"), UNREAD)
def test_an_attribute_whose_text_is_damaged_is_kept_and_judged(op: str, attribute: str) -> None:
    """MLIR parses no attribute of a dialect that it does not load: the text is whatever the file has."""
    text = f"""func.func @main(%x: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {{
      %0 = "stablehlo.{op}"(%x, %x) {{{attribute}}} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      "func.return"(%0) : (tensor<1x1x1xf32>) -> () }}"""  # noqa: E501
    module = load(text, checked=False)
    name, _, value = attribute.partition(" = ")
    found = next(module.ops())[name]
    assert (repr(found) if not isinstance(found, int) else f"{found} : i64") == value
    violations = verify(module)
    assert violations
    assert {violation.where.line for violation in violations} == {2}
    assert load(repr(module), checked=False) == module


# A program of each operation whose attribute has a damage that leaves everything else in order.
CONVOLUTION = """func.func @main(%x: tensor<1x3x1xf32>, %k: tensor<1x1x1xf32>) -> tensor<1x3x1xf32> {
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<LABELS>} : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
  "func.return"(%0) : (tensor<1x3x1xf32>) -> () }"""
ALL_REDUCE = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "stablehlo.all_reduce"(%x) {SUM} {{channel_handle = HANDLE,
    replica_groups = dense<0> : tensor<1x1xi64>}} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> () }}"""


def test_a_damaged_bundle_is_the_only_violation() -> None:
    """Defaults do not stand in for what cannot be read."""
    labels = "[b, 0, f]x[0, i, o]->[b, 0, f]"
    for text, codes in (
        (labels, []),
        ("[b,0,f] x [0,i,o] -> [b,0,f]", []),
        ("[b, 0, f]x[0, i, o]->[b, 0, ff]", ["convolution_i3"]),
    ):
        module = load(CONVOLUTION.replace("LABELS", text), checked=False)
        assert [violation.code for violation in verify(module)] == codes
        assert codes or module == load(CONVOLUTION.replace("LABELS", labels))
    for handle, codes in (
        ("#stablehlo.channel_handle<handle = 0, type = 0>", []),
        ("#stablehlo.channel_handle<type = 0,handle=0>", []),
        ("#stablehlo.channel_handle<handle = 0, type = x>", ["all_reduce_i3"]),
    ):
        module = load(ALL_REDUCE.replace("HANDLE", handle), checked=False)
        assert [violation.code for violation in verify(module)] == codes


FAKE_QUANT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.composite "quant.fake_quant" %x
    {{decomposition = @f,
      composite_attributes = {{dtype = "{dtype}", scale = dense<0.5> : tensor<1xf32>, {more}}}}}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = {body} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}"""


@pytest.mark.parametrize(
    ("dtype", "more", "understood"),
    [
        ("i64", "zero_point = dense<3> : tensor<1xi64>", True),
        ("i8", "zero_point = dense<3.0> : tensor<1xf32>", True),
        ("i65", "zero_point = dense<3> : tensor<1xi64>", False),
        ("i0", "zero_point = dense<3> : tensor<1xi64>", False),
        ("u" + "9" * 5000, "zero_point = dense<3> : tensor<1xi64>", False),
        ("i8", "zero_point = dense<0x7F800000> : tensor<1xf32>", False),
        ("i8", "zero_point = dense<0.5> : tensor<1xf32>", False),
        ("i8", "zero_point = dense<3> : tensor<2xi64>", False),
    ],
)
def test_a_composite_with_damaged_parameters_stays_one(dtype: str, more: str, understood: bool) -> None:
    module = load(FAKE_QUANT.format(dtype=dtype, more=more, body='"stablehlo.negate"(%x)'))
    names = [op.name for op in module.ops()]
    assert ("stablehlo.composite" in names) == (not understood)
    if not understood:
        (out,) = interp.run(module, np.array([1, 2], np.float32))
        assert out.storage.tolist() == [-1, -2]


def test_a_decomposition_that_calls_itself_is_a_violation() -> None:
    text = FAKE_QUANT.format(dtype="i8", more="narrow_range = true", body="func.call @f(%x)")
    assert "call_c3" in [violation.code for violation in verify(load(text).as_written)]


@pytest.mark.parametrize("name", ["i65", "i0", "f32", "i", "", "u8x", "i" + "9" * 5000])
def test_a_quantized_type_is_built_of_an_integer_of_1_to_64_bits(name: str) -> None:
    with pytest.raises(Malformed, match="no storage type"):
        make_quantized(name, "f32", 0.5)
    with pytest.raises(Malformed, match="no expressed type"):
        make_quantized("i8", "f33", 0.5)
    assert repr(make_quantized("i64", "f32", 0.5)) == "!quant.uniform<i64:f32, 5.000000e-01>"
