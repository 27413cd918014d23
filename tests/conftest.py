"""Examples that are the same each time, whatever else is loaded; `tools/test --explore` draws others."""

import os
import sys
from collections.abc import Iterator

import ml_dtypes  # noqa: F401  (tests name bfloat16 and the narrower floats)
import pytest
from hypothesis import settings
from hypothesis.internal import conjecture

settings.register_profile(
    "same", max_examples=60, derandomize=True, database=None, print_blob=True, deadline=None
)
settings.register_profile("explore", derandomize=False, database=None, print_blob=True, deadline=None)
settings.load_profile("same")

# Hypothesis also draws numbers that stand in the source of the modules that happen to be loaded.
providers = getattr(conjecture, "providers", None)
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers.Constants()

# Many tests start processes, which all import the package: Python keeps what it has compiled once.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def without_optimizations() -> Iterator[None]:
    """Let LLVM optimize nothing, for tests that are not about XLA's bits: it compiles in half the time."""
    import jax

    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


unoptimized = pytest.fixture(without_optimizations)
unoptimized_module = pytest.fixture(without_optimizations, scope="module")
