"""The rows of `interp.execute.agreement.AGREEMENT`, measured.

A figure that nothing comes near to would fail too.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest

from interp.execute.agreement import AGREEMENT, COMPLEX, Agreement
from interp.execute.compile import compile
from interp.execute.run import run
from interp.execute.xla import on_platform
from spec.ir import Module, Op, Value
from spec.meaning.evaluate import evaluate
from spec.types import ELEMENT_TYPES, TensorType
from tests.library.builders import module, operation
from tests.test_engine import oracle_tensor, stored

F64 = ELEMENT_TYPES["f64"]
UNITS = ("ulp", "ulp of the modulus")
FUNCTIONS = [
    row for row in AGREEMENT if row.unit in UNITS and row.what[:3] != "rng" and row.right in ("oracle", "run")
]


def function(row: Agreement, n: int) -> Module:
    name, _, element = row.what.split()
    type = TensorType((n,), ELEMENT_TYPES[element])
    result = TensorType((n,), F64) if name == "abs" else type
    return module(operation(name, [type] * arity(name), result))


def arity(name: str) -> int:
    return 2 if name in ("atan2", "power") else 1


def arguments(row: Agreement, n: int) -> list[np.ndarray]:
    """Normal numbers around 1 and around 30, and magnitudes from 2e-9 to 5e8."""
    rng = np.random.default_rng(1)
    name, _, element = row.what.split()
    parts = lambda: (
        rng.normal(0, 1, n // 2),
        rng.normal(0, 30, n // 4),
        np.exp(rng.uniform(-20, 20, n // 4)),
    )
    real = lambda: np.concatenate(parts())
    if element.startswith("complex") and name in ("atan2", "power"):
        real = lambda: rng.normal(0, 3, n)
    if element == "complex<f32>":
        real = lambda: np.concatenate((rng.normal(0, 3, n // 2), np.exp(rng.uniform(-3.5, 3.5, n // 2))))
    values = [real() + 1j * real() if element.startswith("complex") else real() for _ in range(arity(name))]
    return [x.astype(ELEMENT_TYPES[element].numpy) for x in values]


def ulps(a: np.ndarray, b: np.ndarray) -> int:
    """The largest distance in representable normal numbers; NaN and infinities must coincide."""
    with np.errstate(invalid="ignore"):
        assert (np.isnan(a) == np.isnan(b)).all()
        assert (np.isinf(a) == np.isinf(b)).all()
        normal = np.isfinite(a) & (np.abs(a) >= 2.0**-1022)
    order = [np.where(x.view(np.int64) < 0, -(2**63) - x.view(np.int64), x.view(np.int64)) for x in (a, b)]
    return int(np.abs(order[0] - order[1])[normal].max(initial=0))


def ulps_of_the_modulus(a: np.ndarray, b: np.ndarray) -> int:
    """The largest distance of complex numbers, in units of the last place of the larger modulus."""
    assert (np.isfinite(a) == np.isfinite(b)).all()
    finite = np.isfinite(a)
    unit = np.spacing(np.maximum(np.abs(a), np.abs(b))[finite])
    return int(np.ceil((np.abs(a[finite] - b[finite]) / unit).max(initial=0)))


@pytest.mark.slow("functions of 50,000 numbers each, and the oracle's of 500")
@pytest.mark.parametrize(
    "row", FUNCTIONS, ids=lambda row: f"{row.what} {row.left} {row.right}".replace(" ", "_")
)
def test_functions_of_f64(row: Agreement) -> None:
    n = 500 if row.right == "oracle" else 50_000
    program, args = function(row, n), arguments(row, n)
    ours = run(program, *args)[0].storage
    if row.right == "oracle":
        tensors = [oracle_tensor(x, v.type) for x, v in zip(args, program.main.inputs, strict=True)]
        other = stored(evaluate(program, tensors)[0])
    else:
        other = np.asarray(compile(program)(*args)[0])
    if row.unit == "ulp":
        distance = ulps(ours.view(np.float64), np.ascontiguousarray(other).view(np.float64))
    else:
        distance = ulps_of_the_modulus(ours, np.asarray(other))
    assert distance <= row.figure


HALVES = [x / 2 for x in range(-4, 5)]
TINY = [0.0, -0.0, 1e-40, -2e-42, 1e-45, 1e-20, -3e-20]


@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("parts", [HALVES, TINY], ids=["halves", "tiny"])
def test_functions_of_complex_f32_at_simple_numbers(name: str, parts: list[float]) -> None:
    """On the axes and the diagonals a part is zero, or a tie: there f64 alone would leave its own error."""
    real, imag = map(np.ravel, np.meshgrid(np.float32(parts), np.float32(parts)))
    numbers = np.empty(real.size, np.complex64)
    numbers.real, numbers.imag = real, imag
    args = [numbers]
    if arity(name) == 2:
        pairs = np.random.default_rng(0).choice(numbers, (2, 150))
        args = [*pairs]
    type = TensorType(args[0].shape, ELEMENT_TYPES["complex<f32>"])
    program = module(operation(name, [type] * len(args), type))
    ours = run(program, *args)[0].storage.view(np.float32)
    oracle = stored(evaluate(program, [oracle_tensor(x, type) for x in args])[0]).view(np.float32)
    nan = np.isnan(ours) & np.isnan(oracle)
    assert (nan | (ours.view(np.int32) == oracle.view(np.int32))).all()


NEXT_TO_TIES = {
    "log": [0.011794382706284523, 9.472636222839355, 58037908.0, 1.2783783694984994e23],
    "log_plus_one": [7.152559078349441e-07, 8.583093404013198e-06, 0.4951299726963043, 8.472636222839355],
    "logistic": [3.5762786865234375e-07, 8.344650268554688e-07, 6.556510925292969e-06],
}


@pytest.mark.parametrize("name", NEXT_TO_TIES)
def test_functions_next_to_a_tie(name: str) -> None:
    """The row is needed, and is about one unit; `run` gives what the oracle gives."""
    x = np.array(NEXT_TO_TIES[name], np.float32)
    type = TensorType(x.shape, ELEMENT_TYPES["f32"])
    program = module(operation(name, [type], type))
    ours, compiled = run(program, x)[0].storage, np.asarray(compile(program)(x)[0])
    oracle = stored(evaluate(program, [oracle_tensor(x, type)])[0])
    assert ours.tolist() == oracle.tolist()
    (row,) = (row for row in AGREEMENT if row.what.endswith("next to a tie"))
    apart = np.abs(ours.view(np.int32) - compiled.view(np.int32))
    assert apart.max() == row.figure


def test_xla_flushes_subnormal_f64_and_nothing_else() -> None:
    """The row is needed: a product that is subnormal comes back as zero; its f32 likeness does not.

    Nor is there a bound for what follows: the subnormal times 2^100 is a normal number, and 0 there.
    """
    for name, tiny in (("f64", 2.0**-1030), ("f32", 2.0**-130)):
        type = TensorType((), ELEMENT_TYPES[name])
        values = (Value("%arg0", type), Value("%arg1", type))
        program = module(Op("stablehlo.multiply", values, (Value("%0", type),)))
        args = [np.asarray(x, type.element_type.numpy) for x in (2.0**-100, tiny * 2.0**100)]
        assert run(program, *args)[0].storage == tiny
        assert compile(program)(*args)[0] == (0 if name == "f64" else tiny)
        back = [np.asarray(x, type.element_type.numpy) for x in (tiny, 2.0**100)]
        assert run(program, *back)[0].storage == tiny * 2.0**100
        assert compile(program)(*back)[0] == (0 if name == "f64" else tiny * 2.0**100)


def test_a_platform_that_is_not_there_leaves_jax_as_it_was() -> None:
    with pytest.raises(RuntimeError, match="nowhere"), on_platform("nowhere", wide=True):
        pass
    assert not jax.config.jax_enable_x64
