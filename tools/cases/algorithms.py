"""Cases by hand of dot_general's algorithm: what is rounded, to which type, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cases.drafts import Draft

IGNORED = "the algorithm ignored, as StableHLO's reference interpreter"
CLAUSE = "dot_general: "
OPERANDS = CLAUSE + "lhs_precision_type and rhs_precision_type are what operands are rounded to"
ACCUMULATION = CLAUSE + "accumulation_type is the type of products and sums (erratum E29)"
ALGORITHM = """#stablehlo.dot_algorithm<
        lhs_precision_type = {}, rhs_precision_type = {}, accumulation_type = {},
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = {}>"""


def dot(operands: str, result: str, lhs: str, rhs: str, accumulation: str, n: int, free: int = 0) -> str:
    """`free` rows on the left, or none, of n elements times a vector."""
    left = f"{free}x" if free else ""
    types = f"tensor<{left}{n}x{operands}>", f"tensor<{n}x{operands}>", f"tensor<{left}{result}>"
    imprecise = "true" if lhs.startswith("f8") else "false"
    algorithm = ALGORITHM.format(lhs, rhs, accumulation, imprecise)
    return f"""module {{
  func.func @main(%lhs: {types[0]}, %rhs: {types[1]}) -> {types[2]} {{
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {{
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [{int(bool(free))}], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = {algorithm}
    }} : ({types[0]}, {types[1]}) -> {types[2]}
    return %0 : {types[2]}
  }}
}}
"""


def case(
    name: str,
    clause: str,
    why: str,
    spec: str,
    given: Sequence[Any],
    expect: Any,
    worked: str,
    *wrong: tuple[str, Any],
) -> Draft:
    answers = [(mistake, [answer]) for mistake, answer in wrong]
    return Draft(f"algorithm_{name}", clause, why, spec, given, [expect], worked, wrong=answers)


def dots() -> Iterator[Draft]:
    yield case(
        "tf32",
        OPERANDS,
        "tf32 has 11 significant bits and the exponents of f32: a tie goes to the even neighbour.",
        dot("f32", "f32", "tf32", "tf32", "f32", 1, free=5),
        [[[4097.0], [4098.0], [4099.0], [4102.0], [2.0**100 + 2.0**88]], [1.0]],
        [4096.0, 4096.0, 4100.0, 4104.0, 2.0**100],
        "numbers above 4096 are spaced by 4: 4098 and 4102 are ties, of 1024 and 1025, 1025 and 1026.",
        (IGNORED, [4097.0, 4098.0, 4099.0, 4102.0, 2.0**100 + 2.0**88]),
        ("truncated", [4096.0, 4096.0, 4096.0, 4100.0, 2.0**100]),
        ("ties rounded away from zero", [4096.0, 4100.0, 4100.0, 4104.0, 2.0**100]),
        ("rounded to bf16", [4096.0, 4096.0, 4096.0, 4096.0, 2.0**100]),
        ("rounded to f16, which has fewer exponents", [4096.0, 4096.0, 4100.0, 4104.0, float("inf")]),
    )
    yield case(
        "products_in_f32",
        ACCUMULATION,
        "The product of two bf16 numbers and a sum of them need more bits than bf16 has.",
        dot("f32", "f32", "bf16", "bf16", "f32", 2),
        [[258.0, 1.0], [258.0, 1.0]],
        66565.0,
        "258 is 129 * 2, a bf16; 258 * 258 = 66564, and 1.",
        ("products and sums rounded to bf16", 66560.0),
        ("products rounded to bf16", 66561.0),
    )
    yield case(
        "rounded_operands",
        OPERANDS,
        "257 has nine significant bits, bf16 eight; both operands are rounded.",
        dot("f32", "f32", "bf16", "bf16", "f32", 1),
        [[257.0], [259.0]],
        66560.0,
        "257 is a tie between 256 = 128 * 2 and 258 = 129 * 2, 259 between 129 * 2 and 260 = 130 * 2: "
        "256 * 260.",
        (IGNORED, 66563.0),
        ("lhs alone rounded", 66304.0),
        ("rhs alone rounded", 66820.0),
    )
    yield case(
        "bf16_accumulation",
        ACCUMULATION,
        "An implementation that accumulates in f32 all the same is more precise, and wrong.",
        dot("f32", "f32", "bf16", "bf16", "bf16", 2),
        [[256.0, 1.0], [1.0, 1.0]],
        256.0,
        "256 + 1 is a tie between 128 * 2 and 129 * 2.",
        (IGNORED, 257.0),
    )
    yield case(
        "overflow",
        ACCUMULATION,
        "A product beyond 65504 is infinite in f16, whatever the result could hold.",
        dot("f32", "f32", "f16", "f16", "f16", 1),
        [[300.0], [300.0]],
        float("inf"),
        "300 * 300 = 90000.",
        (IGNORED, 90000.0),
    )
    yield case(
        "result_last",
        CLAUSE + "the sum is converted to the result's type last (erratum E29)",
        "Sums in the result's type would lose each 1 by itself.",
        dot("bf16", "bf16", "bf16", "bf16", "f32", 3),
        [[256.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
        258.0,
        "256 + 1 + 1 in f32, and 258 is 129 * 2.",
        ("accumulated in the result's type", 256.0),
    )
    yield case(
        "f8",
        OPERANDS,
        "Two precision types; accumulation may be imprecise, and need not be.",
        dot("f32", "f32", "f8E5M2", "f8E4M3FN", "f32", 2),
        [[9.0, 1.0], [11.0, 0.125]],
        88.125,
        "9 is a tie in f8E5M2, between 8 = 4 * 2 and 10 = 5 * 2, and 11 is an f8E4M3FN: 8 * 11 + 0.125.",
        (IGNORED, 99.125),
        ("precision types exchanged", 108.125),
    )
    yield case(
        "integers",
        CLAUSE + "operands of any type are rounded to their precision types (erratum E29)",
        "Integers are, too, and the sum comes back as an integer.",
        dot("i64", "i64", "tf32", "tf32", "f32", 2),
        [[4097, 3], [1, 2]],
        4102,
        "4097 becomes 4096; 4096 * 1 + 3 * 2.",
        (IGNORED, 4103),
    )
    yield case(
        "quantized",
        CLAUSE + "quantized operands are dequantized, then rounded (erratum E30)",
        "The specification's formula for quantized operands leaves the algorithm out.",
        dot("!quant.uniform<i32:f32, 1.0>", "!quant.uniform<i32:f32, 0.5>", "bf16", "bf16", "f32", 2),
        [[257, 2], [3, 1]],
        1540,
        "257.0 becomes 256.0; 256.0 * 3.0 + 2.0 * 1.0 = 770.0 in steps of 0.5.",
        (IGNORED, 1546),
    )
