"""Examples that are the same each time, whatever else is loaded; `tools/test --explore` draws others."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from random import Random
from typing import Any

import ml_dtypes  # noqa: F401  (tests name bfloat16 and the narrower floats)
import pytest
from hypothesis import control, core, settings
from hypothesis.internal import conjecture
from hypothesis.internal.conjecture.engine import ConjectureRunner

pytest.register_assert_rewrite("tests.library.oracles.claims_checked")

settings.register_profile(
    "same", max_examples=20, derandomize=True, database=None, print_blob=True, deadline=None
)
settings.register_profile("quick", settings.get_profile("same"), max_examples=15)
settings.register_profile("explore", derandomize=False, database=None, print_blob=True, deadline=None)
settings.load_profile("same")

# Hypothesis also draws numbers that stand in the source of the modules that happen to be loaded.
providers = getattr(conjecture, "providers", None)
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers.Constants()

# It keeps and sets the states of the global generators around each example: no test draws from them.
for module, name in ((core, "deterministic_PRNG"), (control, "deprecate_random_in_strategy")):
    setattr(module, name, lambda *_: nullcontext())


def mutated(runner: ConjectureRunner, data: Any) -> None:
    """Mutate examples while exploring, and at no other time.

    After ten examples Hypothesis makes five of six by mutating the one before, and refuses many: of 60, about
    18 are drawn anew. Here all are.
    """
    if settings.get_current_profile_name() == "explore":
        mutations(runner, data)


if mutations := getattr(ConjectureRunner, "generate_mutations_from", None):
    ConjectureRunner.generate_mutations_from = mutated

# Many tests start processes, which all import the package: Python keeps what it has compiled once.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


ALL = "tools/test --all runs it"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="skip the tests marked slow, list them, and draw fewer examples",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        settings.load_profile("quick")
        settings.__init__ = halved


initialized = settings.__init__


def halved(self: settings, *given: Any, **options: Any) -> None:
    """Halve the number of examples that a test states itself, too."""
    if "max_examples" in options:
        options["max_examples"] = -(-options["max_examples"] // 2)
    initialized(self, *given, **options)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow; of a test marked `slow(reason, rows=n)` all but n rows."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        mark = item.get_closest_marker("slow")
        if mark and not mark.args:
            raise pytest.UsageError(f"{item.nodeid}: expected a reason, as in @pytest.mark.slow('compiles')")
        if mark and config.getoption("--quick"):
            found.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, tests in found.items():
        rows = min(len(tests), max(item.get_closest_marker("slow").kwargs.get("rows", 0) for item in tests))
        kept = Random(name).sample(tests, rows)
        for item in (item for item in tests if item not in kept):
            reason = item.get_closest_marker("slow").args[0]
            item.add_marker(pytest.mark.skip(reason=f"slow ({reason}): {ALL}"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the garbage collector from looking at the modules and tests again and again: they stay."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    slow = sum(ALL in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if slow:
        terminalreporter.write_line(f"{slow} slow tests are left out: tools/test --all runs them, too")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail where every test is skipped. Workers have no reporter; the process that started them does."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    ran = reporter is None or {"passed", "xfailed"} & set(reporter.stats)
    if exitstatus == pytest.ExitCode.OK and not ran and not session.config.option.collectonly:
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.fixture(autouse=True)
def same_jax() -> Iterator[None]:
    """Fail where a test leaves JAX with 64-bit types: the next one would compute other numbers."""
    yield
    jax = sys.modules.get("jax")
    if jax is not None and jax.config.jax_enable_x64:
        jax.config.update("jax_enable_x64", False)
        pytest.fail("this test, or code that it calls, leaves 64-bit types of JAX enabled")


def without_optimizations() -> Iterator[None]:
    """Let LLVM optimize nothing, for tests that are not about XLA's bits: it compiles in half the time."""
    import jax

    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


unoptimized = pytest.fixture(without_optimizations)
unoptimized_module = pytest.fixture(without_optimizations, scope="module")
