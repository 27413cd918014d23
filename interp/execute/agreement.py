"""Known differences between two of our implementations, measured by tests; otherwise all bits agree."""

from __future__ import annotations

from typing import NamedTuple


class Agreement(NamedTuple):
    """`left` and `right` differ by at most `figure` (in `unit`) on `what`, because of `why`."""

    what: str
    left: str
    right: str
    figure: int
    unit: str
    why: str


_LIBM = "NumPy's own routine for f64, not the correctly rounded result"
_LIBC = "NumPy's own routine for f64 on some processors, on others that of the C library"
_XLA = "XLA expands the function for f64 in its own way"
_CHLO = "a program of JAX's is expanded at load by jaxlib's pass, inside JAX by XLA in its own way"

_PARTS = "the parts are sums and products of functions of f64"
_ANGLE = "the angle of w log(z) is a sum of f64 and may give the other neighbour; measured up to 1,000"
MODULUS = "ulp of the modulus"
LARGEST = "ulp of the largest element"
_ORDER = "other sums in another order"
# tests/test_algebra.py; `xla` is jax.lax itself on CPU.
ALGEBRA: dict[str, dict[tuple[str, str], dict[str, int]]] = {
    "fft": {
        ("run", "oracle"): {"f32": 1, "f64": 3},
        ("compile", "run"): {"f32": 1, "f64": 2},
        ("run", "xla"): {"f32": 4, "f64": 3},
    },
    "cholesky": {("run", "xla"): {"f32": 2, "f64": 2, "complex<f32>": 3, "complex<f64>": 3}},
    "linear algebra": {("run", "xla"): {"f32": 2, "f64": 2, "complex<f32>": 4, "complex<f64>": 7}},
    "triangular_solve": {("run", "xla"): {"f32": 4, "f64": 3, "complex<f32>": 5, "complex<f64>": 5}},
}
RNG = 2, 2
# By name: `run` against the oracle, and `compile` against `run`. Exponents of `power` are of size 3.
COMPLEX = {
    "atan2": (3, 3),
    "cbrt": (3, 5),
    "cosine": (3, 492),
    "exponential": (2, 2),
    "exponential_minus_one": (3, 4),
    "log": (2, 124),
    "log_plus_one": (3, 128),
    "logistic": (4, 5),
    "power": (33, 368),
    "rsqrt": (3, 4),
    "sine": (3, 492),
    "sqrt": (2, 2),
    "tan": (4, 6),
    "tanh": (3, 6),
}

# tests/test_agreement.py: measured over 1,500 (oracle) and 50,000 (compiled) arguments from 2e-9 to 5e8, by
# jaxlib 0.8.1 and 0.10.2. By name: `run` against the oracle, and `compile` against `run`, on f64.
FUNCTIONS = {
    "cbrt": (3, 4),
    "cosine": (1, 0),
    "exponential": (1, 2),
    "exponential_minus_one": (1, 4),
    "log": (1, 1),
    "log_plus_one": (1, 128),
    "logistic": (2, 3),
    "rsqrt": (1, 2),
    "sine": (1, 0),
    "tan": (1, 1),
    "tanh": (2, 7),
    "atan2": (1, 1),
    "power": (1, 2),
}
# NumPy calls the C library's where it has no routine for the processor. Measured with glibc 2.36 over
# 12 million arguments.
C_LIBRARY = ("cbrt", "tanh")

AGREEMENT: tuple[Agreement, ...] = (
    *(
        Agreement(f"{name} on f64", "run", "oracle", figure, "ulp", _LIBM)
        for name, (figure, _) in FUNCTIONS.items()
        if name not in C_LIBRARY
    ),
    *(Agreement(f"{name} on f64", "run", "oracle", FUNCTIONS[name][0], "ulp", _LIBC) for name in C_LIBRARY),
    *(
        Agreement(f"{name} on f64", "compile", "run", figure, "ulp", _XLA)
        for name, (_, figure) in FUNCTIONS.items()
    ),
    Agreement("abs on complex<f64>", "run", "oracle", 1, "ulp", _LIBM),
    Agreement("abs on complex<f64>", "compile", "run", 2, "ulp", _XLA),
    Agreement("sign on complex<f64>", "run", "oracle", 2, "ulp", "it divides by the modulus"),
    Agreement("sign on complex<f64>", "compile", "run", 5, "ulp", "it divides by the modulus"),
    # tests/test_legalize.py: measured over 50,000 arguments.
    *(
        Agreement(f"chlo.{name} on f32", "run", "XLA", figure, "ulp", _CHLO)
        for name, figure in {
            "acos": 1,
            "acosh": 2,
            "asin": 1,
            "asinh": 2,
            "atan": 1,
            "atanh": 3,
            "bessel_i1e": 8,
            "cosh": 4,
            "erf": 7,
            "erf_inv": 2,
            "polygamma": 10,
            "sinh": 6,
            "zeta": 2,
        }.items()
    ),
    *(
        Agreement(f"chlo.{name} on f32", "run", "XLA", figure, "ulp of the larger of 1 and the result", _CHLO)
        for name, figure in {"digamma": 4, "erfc": 2, "lgamma": 10}.items()
    ),
    *(
        Agreement(f"{name} on complex<f64>", *pair, figure, MODULUS, _PARTS)
        for name, figures in COMPLEX.items()
        for pair, figure in zip((("run", "oracle"), ("compile", "run")), figures, strict=True)
    ),
    Agreement("power on complex<f32>", "run", "oracle", 1, MODULUS, _ANGLE),
    Agreement("power on complex<f32>", "compile", "run", 1, MODULUS, _ANGLE),
    *(
        Agreement("rng NORMAL on f64", *pair, figure, "ulp", _PARTS)
        for pair, figure in ((("run", "oracle"), RNG[0]), (("compile", "run"), RNG[1]))
    ),
    *(
        Agreement(f"{name} on {type}", left, right, figure, LARGEST, _ORDER)
        for name, pairs in ALGEBRA.items()
        for (left, right), figures in pairs.items()
        for type, figure in figures.items()
    ),
    # tests/test_agreement.py has some of them. Of all 2^32 numbers of f32: 5 of log, 9 of log_plus_one, 66
    # of logistic, 1 of exponential_minus_one, none of exponential, tanh and rsqrt; none of logistic either
    # where machine code computes a chain of f32 (`speed.chain_code`). Of all in f16 and bf16: none of a
    # function of one operand; of 2^22 pairs in bf16: 44 of atan2, whose results are subnormal.
    Agreement(
        "functions on formats narrower than f64, next to a tie",
        "compile",
        "run",
        1,
        "ulp of the format",
        "XLA computes them in f64 and rounds twice; there `run` computes them anew, as the oracle does",
    ),
    Agreement(
        "a subnormal f64 operand or result, itself; what is computed from it may differ by anything",
        "compile",
        "run",
        1,
        "2^-1022",
        "XLA's CPU runtime flushes them to zero, and f64 has no wider carrier; narrower formats keep theirs",
    ),
)


def figure(what: str, left: str, right: str) -> int:
    """Return the measured figure of a row."""
    (row,) = (a for a in AGREEMENT if (a.what, a.left, a.right) == (what, left, right))
    return row.figure
