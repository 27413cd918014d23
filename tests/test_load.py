"""Every form of a program loads as the same IR, and what it prints loads again."""

from __future__ import annotations

import dataclasses
import io
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tests.library.strategies.op_programs as random_ops
import tests.library.strategies.programs as random_programs
from interp.loading.attributes import spec_attributes
from interp.loading.load import load
from spec.attributes import Dense, Opaque, Symbol, container_bytes
from spec.errors import InterpError, Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Style, Value, module_text, show
from spec.types import ELEMENT_TYPES, TensorType, make_quantized, parse_type
from tests.library import builders
from tests.library.jaxlibs import CURRENT_QUANT_DIALECT

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "testdata" / "programs"
LEGAL = [path.stem for path in sorted(PROGRAMS.glob("*.mlir")) if path.stem != "rfc_example"]


def program(body: str, arguments: str = "%x: tensor<2x3xf32>", result: str = "tensor<2x3xf32>") -> Module:
    """A function of one argument that returns it, with `body` before."""
    return load(f"func.func @main({arguments}) -> {result} {{\n{body}\nreturn %x : {result}\n}}")


def op(body: str, **signature: str) -> Op:
    return program(body, **signature).main.body.ops[0]


# Forms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEGAL)
def test_text_and_artifacts_of_every_version_are_one_program(name: str) -> None:
    module = load(PROGRAMS / f"{name}.mlir")
    assert [f.name for f in module.functions.values()] == ["main"]
    for version in ("v0_17_0", "current"):
        path = PROGRAMS / f"{name}.{version}.mlirbc"
        assert load(str(path)) == load(path.read_bytes()) == load(bytearray(path.read_bytes())) == module


@pytest.mark.parametrize("name", LEGAL)
def test_what_a_program_prints_is_that_program(name: str) -> None:
    module = load(PROGRAMS / f"{name}.mlir")
    assert load(repr(module)) == module
    placed = load(module_text(module, Style(locations=True)))
    assert [op.location for op in placed.ops()] == [op.location for op in module.ops()]


def renumbered(module: Module) -> Module:
    """Return the text with defaults filled in and values numbered as they appear: MLIR names its own."""
    names: dict[str, str] = {}

    def value(value: Value) -> Value:
        return Value(names.setdefault(value.name, f"%{len(names)}"), value.type)

    def region(region: Region) -> Region:
        return Region(tuple(map(value, region.arguments)), tuple(map(operation, region.ops)))

    def operation(op: Op) -> Op:
        operands, results = tuple(map(value, op.operands)), tuple(map(value, op.results))
        attributes = spec_attributes(op.name, op.attributes, operands[0].type.rank if operands else 0)
        return Op(op.name, operands, results, attributes, tuple(map(region, op.regions)))

    def function(function: Func) -> Func:
        names.clear()
        return dataclasses.replace(function, body=region(function.body))

    return Module({name: function(f) for name, f in module.functions.items()})


@pytest.mark.parametrize(
    "programs",
    [
        random_programs.reduces(),
        random_programs.reduce_windows(),
        random_programs.select_and_scatters(),
        random_ops.plain_elementwise(),
        random_ops.quantized_elementwise(),
        random_ops.choices(),
        random_ops.structures(),
        random_ops.dots(),
        random_ops.convolutions(),
    ],
    ids=repr,
)
def test_random_programs_print_as_themselves(programs: st.SearchStrategy[random_programs.Program]) -> None:
    """Unchecked, since the oracle means more types than jaxlib's verifier admits."""

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs)
    def check(program: random_programs.Program) -> None:
        loaded = load(repr(program.module), checked=False)
        assert renumbered(loaded) == renumbered(program.module)
        assert load(repr(loaded), checked=False) == loaded

    check()


def test_generic_and_pretty_text_are_one_program() -> None:
    pretty = program("%0 = stablehlo.add %x, %x : tensor<2x3xf32>")
    generic = load(
        '"builtin.module"() ({ "func.func"() ({ ^bb0(%a: tensor<2x3xf32>):\n'
        '%0 = "stablehlo.add"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n'
        '"func.return"(%a) : (tensor<2x3xf32>) -> () })\n'
        '{sym_name = "main", function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>} : () -> () }) : () -> ()'
    )
    assert generic == pretty
    assert [o.name for o in pretty.ops()] == ["stablehlo.add", "func.return"]


def test_plain_bytecode() -> None:
    """MLIR's own bytecode, as PyTorch's exporter writes it, is not a portable artifact."""
    from jaxlib.mlir import ir

    from interp.loading.reader import load_dialects, producer

    source = PROGRAMS / "argmax.mlir"
    with ir.Context() as context:
        load_dialects(context, checked=True)
        buffer = io.BytesIO()
        ir.Module.parse(source.read_text()).operation.write_bytecode(buffer)
    assert producer(buffer.getvalue()).startswith("MLIR")
    assert load(buffer.getvalue()) == load(source)


def test_jax_exports_and_lowered_functions() -> None:
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")
    function = jax.jit(lambda x: (x * 2).sum(axis=1))
    argument = jax.ShapeDtypeStruct((3, 4), "float32")
    lowered = load(function.lower(argument))
    assert "stablehlo.reduce" in {o.name for o in lowered.ops()}
    assert lowered == load(function.lower(argument).as_text())
    exported = export.export(function)(argument)
    assert load(exported) == load(exported.serialize())
    assert load(exported).main.inputs[0].type == parse_type("tensor<3x4xf32>")


def test_jax_export_around_a_quantized_module(tmp_path: Path) -> None:
    """A quantized program travels in JAX's container, though JAX has no such types."""
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")
    plain = export.export(jax.jit(lambda x: x[:, 0]))(jax.ShapeDtypeStruct((6, 32), "uint8"))
    artifact = (PROGRAMS / "sum_u8_i32.current.mlirbc").read_bytes()
    carrier = dataclasses.replace(plain, mlir_module_serialized=artifact)
    (tmp_path / "carrier").write_bytes(carrier.serialize())
    expected = load(PROGRAMS / "sum_u8_i32.mlir")
    assert load(carrier) == load(carrier.serialize()) == load(tmp_path / "carrier") == expected


def test_the_rfcs_worked_example() -> None:
    """One operation without a function: it becomes the body of @main, its operands the arguments."""
    module = load(PROGRAMS / "rfc_example.mlir", dialect="rfc")
    ui8 = make_quantized("ui8", "f32", 0.1, 30)
    assert [v.type for v in module.main.inputs] == [TensorType((5, 1), ui8), TensorType((), ui8)]
    assert module.main.results == (TensorType((5,), make_quantized("ui8", "f32", 0.2, 128)),)
    reduce = module.main.body.ops[0]
    assert reduce.attributes == {"dimensions": (1,)}
    assert reduce.regions[0].arguments[0].type == TensorType((), make_quantized("i32", "f32", 0.05))
    assert (reduce.location.line, reduce.location.column) == (4, 11)
    assert module.dialect == "rfc"
    assert load(repr(module), dialect="rfc") == module
    with pytest.raises(Malformed):
        load(PROGRAMS / "rfc_example.mlir")


def test_unchecked_reading_leaves_verification_to_us() -> None:
    text = (
        "func.func @main(%x: tensor<2xf32>, %i: tensor<f32>) -> tensor<f32> {\n"
        '%0 = "stablehlo.reduce"(%x, %i) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
        '"stablehlo.return"(%a) : (tensor<f32>) -> () }) {dimensions = array<i64: 7>}\n'
        ": (tensor<2xf32>, tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}"
    )
    assert load(text, checked=False).main.body.ops[0]["dimensions"] == (7,)
    with pytest.raises(Malformed, match="7"):
        load(text)


def test_properties_of_unchecked_operations() -> None:
    """MLIR's current generic form writes `<{...}>`, which an unregistered operation keeps as text."""
    line = '"a.b"(%x) <{n = 3 : i64, s = "}>"}> : (tensor<2xf32>) -> ()'
    text = f"func.func @main(%x: tensor<2xf32>) {{\n{line}\nreturn }}"
    assert load(text, checked=False).main.body.ops[0].attributes == {"n": 3, "s": "}>"}


# Attributes ------------------------------------------------------------------------------------------


def test_convolution_dimension_numbers_are_taken_apart() -> None:
    """Letters and spatial numbers name each dimension in turn; here the input's spatial order is reversed."""
    type = "tensor<1x8x9x3xf32>"
    module = program(
        "%k = stablehlo.constant dense<1.0> : tensor<4x2x2x3xf32>\n"
        "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 1, 0, f]x[o, 0, 1, i]->[b, f, 0, 1],"
        " window = {stride = [2, 1], pad = [[1, 0], [0, 0]], reverse = [true, false]}"
        " {batch_group_count = 1 : i64, feature_group_count = 1 : i64,"
        " precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}"
        f" : ({type}, tensor<4x2x2x3xf32>) -> tensor<1x4x5x7xf32>",
        arguments=f"%x: {type}",
        result=type,
    )
    assert module.main.body.ops[1].attributes == {
        "input_batch_dimension": 0,
        "input_feature_dimension": 3,
        "input_spatial_dimensions": (2, 1),
        "kernel_output_feature_dimension": 0,
        "kernel_input_feature_dimension": 3,
        "kernel_spatial_dimensions": (1, 2),
        "output_batch_dimension": 0,
        "output_feature_dimension": 1,
        "output_spatial_dimensions": (2, 3),
        "window_strides": (2, 1),
        "padding": ((1, 0), (0, 0)),
        "lhs_dilation": (1, 1),
        "rhs_dilation": (1, 1),
        "window_reversal": (True, False),
        "feature_group_count": 1,
        "batch_group_count": 1,
        "precision_config": ("HIGHEST", "DEFAULT"),
    }
    assert load(repr(module)) == module


ADD = (
    "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\n"
    "stablehlo.return %s : tensor<f32>"
)


GATHER = (
    '%0 = "stablehlo.gather"(%x, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1],'
    " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,"
    " slice_sizes = array<i64: 1, 3>} : ($, tensor<2x1xi64>) -> $"
)
WINDOW = '%0 = "stablehlo.reduce_window"(%x, %z) ({{ {} }}) {{{}}} : ($, tensor<f32>) -> tensor<{}xf32>'
ONES = {"window_strides": (1, 1), "base_dilations": (1, 1), "window_dilations": (1, 1)}
CONSTANTS = """%rows = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi64>
%z = stablehlo.constant dense<0.0> : tensor<f32>
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%0 = stablehlo.compare GE, %x, %x : ($, $) -> tensor<2x3xi1>", {"comparison_direction": "GE"}),
        (
            "%0 = stablehlo.compare LT, %x, %x, TOTALORDER : ($, $) -> tensor<2x3xi1>",
            {"comparison_direction": "LT", "compare_type": "TOTALORDER"},
        ),
        ("%0 = stablehlo.iota dim = 1 : $", {"iota_dimension": 1}),
        ("%0 = stablehlo.transpose %x, dims = [1, 0] : ($) -> tensor<3x2xf32>", {"permutation": (1, 0)}),
        (
            "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ($) -> tensor<2x4x3xf32>",
            {"broadcast_dimensions": (0, 2)},
        ),
        (
            "%0 = stablehlo.slice %x [0:2, 0:3:2] : ($) -> tensor<2x2xf32>",
            {"start_indices": (0, 0), "limit_indices": (2, 3), "strides": (1, 2)},
        ),
        (
            '%0 = stablehlo.custom_call @f(%x) {backend_config = "a\\22\\0A\\C3\\A9"} : ($) -> $',
            {"call_target_name": "f", "backend_config": 'a"\n\u00e9'},
        ),
        ("%0 = func.call @main(%x) : ($) -> $", {"callee": Symbol("main")}),
        ("%0 = stablehlo.reduce_precision %x, format = e5m10 : $", {"exponent_bits": 5, "mantissa_bits": 10}),
        (
            "%0 = stablehlo.exponential %x {a.b = unit, c.d} : $",
            {"a.b": Opaque("unit"), "c.d": Opaque("unit")},
        ),
        (
            "%0 = stablehlo.exponential %x {a.b = array<ui8: 3>} : $",  # jaxlib has no class for it
            {"a.b": Opaque("array<ui8: 3>")},
        ),
        (
            "%0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1]"
            " : ($, $) -> tensor<2xf32>",
            {
                "lhs_batching_dimensions": (0,),
                "rhs_batching_dimensions": (0,),
                "lhs_contracting_dimensions": (1,),
                "rhs_contracting_dimensions": (1,),
                "precision_config": ("DEFAULT", "DEFAULT"),
            },
        ),
        (
            GATHER,
            {
                "offset_dims": (1,),
                "collapsed_slice_dims": (0,),
                "operand_batching_dims": (),
                "start_indices_batching_dims": (),
                "start_index_map": (0,),
                "index_vector_dim": 1,
                "slice_sizes": (1, 3),
            },
        ),
        (
            WINDOW.format(ADD, "window_dimensions = array<i64: 2, 1>", "1x3"),
            {"window_dimensions": (2, 1), **ONES, "padding": ((0, 0), (0, 0))},
        ),
        (
            WINDOW.format(
                ADD, "window_dimensions = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>", "4x5"
            ),
            {"window_dimensions": (1, 1), **ONES, "padding": ((1, 1), (1, 1))},
        ),
    ],
)
def test_attributes_become_python_values(line: str, expected: dict[str, Any]) -> None:
    """Omitted attributes get their defaults, and dimension numbers are taken apart."""
    module = program(CONSTANTS + line.replace("$", "tensor<2x3xf32>"))
    attributes = dict(module.main.body.ops[2].attributes)
    assert attributes.pop("indices_are_sorted", False) is False
    assert attributes == expected
    assert load(repr(module)) == module


# Constants -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "literal", "data"),
    [
        ("3xi8", "[1, -7, 127]", bytes([1, 249, 127])),
        ("2xui8", "[1, 200]", bytes([1, 200])),
        ("2xi4", "[3, -8]", bytes([3, 0xF8])),
        ("2xui4", "[3, 15]", bytes([3, 15])),
        ("2xi2", "[1, -2]", bytes([1, 0xFE])),
        ("3xi1", "[true, false, true]", bytes([1, 0, 1])),
        ("2xi64", "[-1, 4294967296]", struct.pack("<qq", -1, 1 << 32)),
        ("2xf32", "[0x7FC00001, -0.0]", struct.pack("<II", 0x7FC00001, 0x80000000)),
        ("2xf64", "[0.1, 1.0e300]", struct.pack("<dd", 0.1, 1e300)),
        ("2xf16", "[0.1, 65504.0]", bytes.fromhex("662eff7b")),
        ("2xbf16", "[0.1, -3.0]", bytes.fromhex("cd3d40c0")),
        ("2xf8E4M3FN", "[0.1, 448.0]", bytes([0x1D, 0x7E])),
        ("2xf8E5M2", "[0x7C, 1.0]", bytes([0x7C, 0x3C])),
        ("2xf4E2M1FN", "[0.5, -6.0]", bytes([0x1, 0xF])),
        ("2xf8E8M0FNU", "[1.0, 0.5]", bytes([127, 126])),
        ("2xcomplex<f32>", "[(1.0, -2.0), (0.0, 0.5)]", struct.pack("<4f", 1, -2, 0, 0.5)),
        ("0x2xf32", "", b""),
        ("i32", "7", struct.pack("<i", 7)),
        ("3xi16", '"0x01000200FFFF"', struct.pack("<hhh", 1, 2, -1)),
        ("2xi4", '"0x010D"', bytes([1, 0xFD])),
    ],
)
def test_constants_are_little_endian_bytes(type: str, literal: str, data: bytes) -> None:
    module = program(f"%0 = stablehlo.constant dense<{literal}> : tensor<{type}>")
    constant = module.main.body.ops[0]["value"]
    assert constant == Dense(parse_type(f"tensor<{type}>"), data)
    assert load(repr(module)) == module


@pytest.mark.parametrize(
    ("type", "literal", "data"),
    [
        ("1000000x1000000xf32", "0x7FC00001", struct.pack("<I", 0x7FC00001)),
        ("4xi1", "true", b"\1"),
        ("4xi4", "-3", b"\xfd"),
        ("4xcomplex<f64>", "(1.0, 2.0)", struct.pack("<dd", 1, 2)),
    ],
)
def test_a_splat_holds_one_element(type: str, literal: str, data: bytes) -> None:
    module = program(f"%0 = stablehlo.constant dense<{literal}> : tensor<{type}>")
    assert module.main.body.ops[0]["value"] == Dense(parse_type(f"tensor<{type}>"), data, splat=True)
    assert load(repr(module)) == module


@pytest.mark.parametrize(
    ("element", "storage", "literal", "data"),
    [
        ("u8:f32, 0.5:3", "i8", "[-56, 3]", bytes([200, 3])),
        pytest.param("ui8:f32, 0.5:3", "ui8", "[200, 3]", bytes([200, 3]), marks=CURRENT_QUANT_DIALECT),
        ("u4:f32, 0.5:3", "i4", "[-1, 3]", bytes([15, 3])),
        ("i4:f32, 0.5:3", "i4", "[-1, 3]", bytes([255, 3])),
        ("i8:f32:0, {0.5:3, 0.25}", "i8", "[-1, 3]", bytes([255, 3])),
    ],
)
def test_quantized_constants_hold_storage_in_their_own_type(
    element: str, storage: str, literal: str, data: bytes
) -> None:
    type = f"tensor<2x!quant.uniform<{element}>>"
    module = program(
        f'%0 = "stablehlo.constant"() {{value = dense<{literal}> : tensor<2x{storage}>}} : () -> {type}'
    )
    constant = module.main.body.ops[0]["value"]
    assert constant.data == data
    assert constant.type.element_type in (parse_type(type).element_type, folded(type))
    assert load(repr(module)) == module


def folded(type: str) -> object:
    """Until jaxlib 0.6 MLIR made `u8` of `ui8` (E11: the same numbers)."""
    return parse_type(type.replace("ui8", "u8")).element_type


def with_resource(elements: int) -> Module:
    """A constant of so many f32, whose eight bytes lie in a resource."""
    type = f"tensor<{elements}xf32>"
    return load(
        f"func.func @main() -> {type} {{\n%0 = stablehlo.constant dense_resource<w> : {type}\n"
        f'return %0 : {type} }} {{-# dialect_resources: {{builtin: {{w: "0x040000000000803F00000040"}}}} #-}}'
    )


def test_a_resource_is_read_behind_its_alignment() -> None:
    constant = with_resource(2).main.body.ops[0]["value"]
    assert constant == Dense(parse_type("tensor<2xf32>"), struct.pack("<ff", 1, 2))


def test_a_resource_of_another_size_is_refused() -> None:
    with pytest.raises(Malformed, match=r"<text>:2:6: 8 bytes for a constant of type tensor<3xf32>"):
        with_resource(3)


PLAIN = [t for t in ELEMENT_TYPES.values() if t.kind != "boolean"]


@st.composite
def constants(draw: st.DrawFn) -> Dense:
    """Any bits in any type, long enough to be written as hexadecimal sometimes. No two elements are equal."""
    element = draw(st.sampled_from(PLAIN))
    codes = st.integers(0, (1 << element.bits) - 1)
    most = min(100, 1 << element.bits)
    values = draw(st.lists(codes, min_size=2, max_size=most, unique=True))
    width, sign = container_bytes(element), element.kind == "signed"
    data = b"".join(
        (v - (1 << element.bits) * (sign and v >> element.bits - 1)).to_bytes(width, "little", signed=sign)
        for v in values
    )
    return Dense(TensorType((len(values),), element), data)


@settings(max_examples=100, deadline=None)
@given(constants())
def test_constants_of_every_type_print_exactly(constant: Dense) -> None:
    printed = repr(builders.module(builders.operation("constant", [], constant.type, value=constant)))
    assert load(printed).main.body.ops[0]["value"] == constant


def test_show_abbreviates_and_repr_does_not() -> None:
    numbers = ", ".join(map(str, range(40)))
    module = program(f"%0 = stablehlo.constant dense<[{numbers}]> : tensor<40xi32>")
    assert "dense<[0, 1, 2, ...]> : tensor<40xi32>" in show(module)
    assert f"[{numbers}]" in repr(module)


# Values, regions, locations --------------------------------------------------------------------------


def test_names_are_those_of_the_text_and_unique() -> None:
    reduce = f'"stablehlo.reduce"(%x, %z) ({{ {ADD} }}) {{dimensions = array<i64: 0>}}'
    signature = "(tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"
    module = program(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        f"%first = {reduce} : {signature}\n%second = {reduce} : {signature}"
    )
    ops = list(module.ops())
    names = [value.name for o in ops for value in (*o.results, *(a for r in o.regions for a in r.arguments))]
    assert len(names) == len(set(names))
    assert [module.main.inputs[0].name, *names] == [
        *("%x", "%z"),
        *("%first", "%a", "%b", "%s"),
        *("%second", "%a_1", "%b_1", "%s_1"),
    ]
    assert repr(load(repr(module))) == repr(module)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("%sum = stablehlo.add %x, %x : tensor<2x3xf32>", ["%sum"]),
        ('%a.b-c = "stablehlo.abs"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>', ["%a.b-c"]),
        ("%7 = stablehlo.abs %x : tensor<2x3xf32> %5 = stablehlo.abs %7 : tensor<2x3xf32>", ["%7", "%5"]),
        ("%two:2 = stablehlo.custom_call @f(%x) : (tensor<2x3xf32>) -> (tensor<f32>, tensor<f32>)",
         ["%two#0", "%two#1"]),
        ('%p, %q = "stablehlo.custom_call"(%x) {call_target_name = "f"} : (tensor<2x3xf32>)'
         " -> (tensor<f32>, tensor<f32>)", ["%p", "%q"]),
        ('%sum = stablehlo.abs %x : tensor<2x3xf32> loc("model.py":3:4)', ["%sum"]),
        # Where the place of an operation is not found in the text, as MLIR numbers them.
        ("%sum =\n stablehlo.abs %x : tensor<2x3xf32>", ["%0"]),
        ("%a..b = stablehlo.abs %x : tensor<2x3xf32>", ["%0"]),
    ],
)  # fmt: skip
def test_the_names_of_results_in_text(line: str, names: list[str]) -> None:
    module = program(line)
    assert [v.name for op in module.main.body.ops for v in op.results] == names
    assert module == load(repr(module))


def test_what_has_no_name_in_the_text_gets_a_free_one() -> None:
    """MLIR numbers the body of a reduction's short form too, but the text may use that number."""
    module = program(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]"
        " : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n"
        "%2 = stablehlo.abs %s : tensor<3xf32>"
    )
    assert [v.name for op in module.ops() for v in op.results] == ["%z", "%s", "%_2_1", "%2"]
    assert repr(load(repr(module))) == repr(module)


def test_programs_that_differ_in_names_only_are_equal() -> None:
    body = "%a = stablehlo.add %x, %x : tensor<2x3xf32>\n%b = stablehlo.add %a, {} : tensor<2x3xf32>"
    module = program(body.format("%x"))
    assert module == program(body.format("%x").replace("%a", "%c"))
    assert module != program(body.format("%a"))


def test_several_results_and_their_uses() -> None:
    module = program(
        "%0:2 = stablehlo.custom_call @f(%x) : (tensor<2x3xf32>) -> (tensor<f32>, tensor<f32>)\n"
        "%1 = stablehlo.add %0#1, %0#1 : tensor<f32>"
    )
    call, add = module.main.body.ops[:2]
    assert [v.name for v in call.results] == ["%0#0", "%0#1"]
    assert add.operands == (call.results[1],) * 2
    assert load(repr(module)) == module


def test_a_region_may_use_values_from_outside() -> None:
    module = program(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        '%0 = "stablehlo.reduce"(%x, %z) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
        "%s = stablehlo.add %a, %z : tensor<f32>\nstablehlo.return %s : tensor<f32> })"
        " {dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"
    )
    constant, reduce = module.main.body.ops[:2]
    assert reduce.regions[0].ops[0].operands[1] == constant.result
    assert load(repr(module)) == module


@pytest.mark.parametrize(
    ("suffix", "expected"),
    [
        ("", Location("<text>", 2, 6)),
        (' loc("model.py":12:8)', Location("model.py", 12, 8)),
        (' loc("conv1"("model.py":12:8))', Location("model.py", 12, 8, "conv1")),
        (' loc("jit(f)/a:b")', Location(name="jit(f)/a:b")),
        (' loc(callsite("f.py":3:4 at "g.py":5:6))', Location("f.py", 3, 4)),
        (' loc(fused<"m">["layer"("f.py":3:4), "g.py":5:6])', Location("f.py", 3, 4, "layer")),
        (" loc(unknown)", Location()),
    ],
)
def test_locations_survive(suffix: str, expected: Location) -> None:
    assert op(f"%0 = stablehlo.add %x, %x : tensor<2x3xf32>{suffix}").location == expected


def test_locations_survive_in_artifacts() -> None:
    module = load(PROGRAMS / "argmax.current.mlirbc")
    reduce = next(o for o in module.ops() if o.name == "stablehlo.reduce")
    assert (reduce.location.file, reduce.location.line) == ("argmax.mlir", 9)


def test_functions_keep_their_names_order_and_visibility() -> None:
    module = load(
        'func.func private @"my helper"(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }\n'
        "func.func public @entry(%x: tensor<f32>) -> tensor<f32> {\n"
        '%0 = call @"my helper"(%x) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32> }'
    )
    assert [(f.name, f.public) for f in module.functions.values()] == [("my helper", False), ("entry", True)]
    assert module.main.name == "entry"
    assert module.main.body.ops[0]["callee"] == Symbol("my helper")
    assert load(repr(module)) == module


def test_pytorchs_custom_calls_are_typed_by_their_text() -> None:
    type = "tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>"
    module = program(
        f'%0 = stablehlo.custom_call @odml_torch.uniform_quantize(%x) {{backend_config = "{type}"}}'
        " : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        "%1 = stablehlo.custom_call @odml_torch.uniform_dequantize(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    )
    quantize, dequantize = module.main.body.ops[:2]
    assert quantize.name == "stablehlo.custom_call"
    assert quantize["call_target_name"] == "odml_torch.uniform_quantize"
    assert quantize.result.type == dequantize.operands[0].type == parse_type(type)
    assert dequantize.result.type == parse_type("tensor<2x3xf32>")
    assert load(repr(module)) == module


def test_pytorchs_custom_call_without_a_type() -> None:
    call = (
        "%0 = stablehlo.custom_call @odml_torch.uniform_quantize(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    )
    with pytest.raises(InterpError):
        program(call)


# Refusals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x7fELF\x02\x01", "ELF"),
        (b"PK\x03\x04\x14\x00", "zip"),
        (b"\x93NUMPY\x01\x00", "NumPy array"),
        (b"\x1f\x8b\x08", "gzip"),
        ("func.func".encode("utf-16"), "UTF-16"),
        (bytes(range(256)), "NUL|binary"),
        (b"ab\xffcd", "byte 2 is not UTF-8"),
        (b"ML\xefR", "(?s)bytecode.*it ends before it says who wrote it$"),
        (b"hello", "hello"),
    ],
)
def test_what_is_no_program_is_named(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_bytes(data)
    with pytest.raises(Malformed, match=message) as caught:
        load(tmp_path / "model.mlir")
    assert caught.value.where.file == str(tmp_path / "model.mlir")
    with pytest.raises(Malformed, match=message):
        load(data)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (ROOT, "directory"),
        (ROOT / "missing.mlir", "No such file"),
        ("missing.mlir", "No such file"),
        ("", "empty"),
        (3, "int"),
    ],
    ids=str,
)
def test_unusable_sources(source: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        load(source)


def test_a_dialect_that_is_none() -> None:
    with pytest.raises(Malformed, match="'tosa' is not a dialect"):
        load("module {}", dialect="tosa")


def test_diagnostics_show_the_line_and_a_caret(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(
        "func.func @main(%x: tensor<f32>) {\n  %0 = stablehlo.add %x, %y : tensor<f32>\n  return\n}"
    )
    with pytest.raises(Malformed) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}:2:26: use of undeclared SSA value name\n"
        "    %0 = stablehlo.add %x, %y : tensor<f32>\n"
        "                           ^"
    )


def test_a_verifiers_message_names_the_operation() -> None:
    with pytest.raises(Malformed, match=r"<text>:2:6: .*stablehlo\.add") as caught:
        program('%0 = "stablehlo.add"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>')
    assert "^" in caught.value.evidence


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("func.func @f(%x: tensor<*xf32>) {\nreturn }", "unranked tensor", 1),
        ("func.func private @f(tensor<f32>)\n", "@f has no body", 1),
        ("func.func @f(%x: f32) {\nreturn }", "a value of type f32", 1),
        ("module { module { func.func @f() { return } } }\n", "builtin.module beside functions", 1),
    ],
)
def test_what_is_ours_to_build_is_unsupported(text: str, message: str, line: int) -> None:
    with pytest.raises(Unsupported, match=message) as caught:
        load(text)
    assert caught.value.where.line == line
    assert caught.value.evidence


def test_control_flow_between_blocks_is_unsupported() -> None:
    text = 'func.func @f() {\n"a.jump"() [^a] : () -> ()\n^a:\nreturn }'
    with pytest.raises(Unsupported, match=r"<text>:1:1: func\.func with a region of 2 blocks"):
        load(text, checked=False)


def test_unknown_operations_load() -> None:
    """Only running refuses them: a program can be looked at anyway."""
    unknown = program("%0 = stablehlo.cbrt %x : tensor<2x3xf32>\n%1 = arith.negf %0 : tensor<2x3xf32>")
    assert [o.name for o in unknown.ops()] == ["stablehlo.cbrt", "arith.negf", "func.return"]


def test_loading_leaves_jax_jaxlib_and_numpy_to_the_child() -> None:
    code = (
        "import sys\nfrom interp.loading.load import load\nload('testdata/programs/argmax.mlir')\n"
        "print({'jax', 'jaxlib', 'numpy'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout == "set()\n"


def test_the_committed_artifacts_are_up_to_date() -> None:
    result = subprocess.run(
        [sys.executable, "tools/emit_bytecode.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_model_of_more_than_2_gb_says_how_to_load_it() -> None:
    class Large:
        def SerializeToString(self) -> bytes:
            raise ValueError("Message onnx.ModelProto exceeds maximum protobuf size of 2GB: 2200000000")

    with pytest.raises(Unsupported, match=r"(?s)2200000000.*save_as_external_data=True"):
        load(Large())
