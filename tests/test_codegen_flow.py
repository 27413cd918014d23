"""The flow "codegen": regions as plain integer operations, with the numbers of the quantized ones."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.apps.quantization.codegen_flow import fixed_point
from interp.apps.quantization.materialize import Materialized, materialization
from spec.ir import Module
from spec.types import parse_element_type
from tests.library.examples.region_programs import KERNELS, X, arguments, program, with_constant

IN_FLOAT = {"tanh", "unquantizable"}  # without a form in integers


@pytest.fixture(scope="module")
def regions() -> Module:
    return program()


@pytest.fixture(scope="module")
def made(regions: Module) -> Materialized:
    return materialization(regions, flow="codegen")


def test_jaxlib_accepts_the_programs_and_no_type_is_quantized(made: Materialized) -> None:
    assert interp.verify(made.module, mode="strict") == []
    assert interp.load(repr(made.module)) == made.module
    assert "!quant" not in repr(made.module)


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_within_a_step_of_its_quantized_form(
    regions: Module, made: Materialized, name: str
) -> None:
    """The multiplier has 31 bits, and the middle between two steps goes up instead of to the even one."""
    given = arguments(regions, name)
    quantized = materialization(regions).module
    (wanted,) = interp.run(quantized, *given, function=name, reading="integer")
    (result,) = interp.run(made.module, *given, function=name)
    spec = parse_element_type(KERNELS[name][0][-1][1])
    steps = np.rint((result.storage - wanted.storage) / np.float32(spec.scale))
    assert np.abs(steps).max() <= 1
    assert (steps == 0).mean() >= 0.75
    assert len(np.unique(result.storage)) > 1


@pytest.mark.parametrize("name", sorted(set(KERNELS) - IN_FLOAT))
def test_only_quantizing_and_dequantizing_are_floats(made: Materialized, name: str) -> None:
    """Each argument is divided by its scale, and the result is multiplied by its."""
    ops = made.module[name].body.ops
    floats = [op for op in ops if any(v.type.element_type.kind == "float" for v in op.results)]
    names = [op.name.partition(".")[2] for op in floats]
    read = {v.name for op in ops for v in op.operands} & {v.name for v in made.module[name].inputs}
    assert names.count("divide") == names.count("round_nearest_even") == len(read)
    assert names.count("multiply") == 1
    allowed = "divide round_nearest_even multiply constant broadcast_in_dim add clamp convert"
    assert set(names) <= set(allowed.split())


def test_a_zero_point_and_a_bias_are_one_constant_and_bounds_are_one_clamp(regions: Module) -> None:
    weights = np.random.default_rng(1).normal(size=(4, 2))
    module = with_constant(regions, "dense", weights)
    made = materialization(module, flow="codegen")
    names = [op.name.partition(".")[2] for op in made.module.main.body.ops]
    names = [name for name in names[names.index("dot_general") :] if name not in STRUCTURE]
    wanted = "dot_general add convert multiply add shift_right_arithmetic add clamp convert"
    assert names == [*wanted.split(), *"convert subtract convert multiply return".split()]
    (given, _) = arguments(regions, "dense")
    (wanted_numbers,) = interp.run(materialization(module).module, given, reading="integer")
    assert interp.run(made.module, given) == (wanted_numbers,)


STRUCTURE = {"constant", "broadcast_in_dim"}


def test_the_compiled_program_has_the_same_integers(regions: Module, made: Materialized) -> None:
    pytest.importorskip("jax")
    given = arguments(regions, "dense")
    (wanted,) = interp.run(made.module, *given, function="dense")
    (result,) = interp.compile(made.module, function="dense")(*given)
    assert np.asarray(result).tobytes() == wanted.storage.tobytes()


def test_multipliers_are_the_ratios_to_31_bits() -> None:
    (a, b), shift = fixed_point([np.array([0.3, 1e-3]), np.array([0.011])])
    assert max(*a, *b) < 2**31
    assert np.abs(a / 2.0**shift - [0.3, 1e-3]).max() <= 2.0 ** -(shift + 1)
    assert abs(b[0] / 2.0**shift - 0.011) <= 2.0 ** -(shift + 1)
    assert fixed_point([np.array([4.0])]) == ([np.array([4])], 0)
    assert fixed_point([np.array([0.25])]) == ([np.array([1])], 2)
    (many,), shift = fixed_point([np.array([0.3])], magnitude=2**40)
    assert int(many[0]) * 2**40 < 2**62
    with pytest.raises(interp.Unsupported, match="larger steps"):
        fixed_point([np.array([2.0**33])])


def test_a_program_that_is_quantized_already_is_refused() -> None:
    text = f"func.func @main(%x: tensor<4x{X}>) -> tensor<4x{X}> {{ return %x : tensor<4x{X}> }}"
    with pytest.raises(interp.Unsupported, match="quantized already"):
        materialization(interp.load(text), flow="codegen")
