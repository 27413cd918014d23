"""A plugin for pytest: the marker `interp(...)`, the fixture `interp_check`, and options of the project.

pytest loads it through an entry point when it starts, so that it imports nothing but the assertions' options.
The project's are read when the first assertion takes place, and a folder is made when one fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from interp.apps.assertions import Setting, assert_close_to_float, assert_permitted, setting
from interp.apps.assertions.options import check_options
from spec.errors import InterpError, Malformed

MARKER = "interp"
HELP = f"{MARKER}(**options): options of interp's assertions in this test: seconds=5, unknown='pass', ..."
PROJECT = pytest.StashKey[Mapping[str, Any]]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", HELP)


def pytest_runtest_setup(item: pytest.Item) -> None:
    error = ""
    try:
        marker_options(item)
    except InterpError as refusal:
        error = str(refusal)
    if error:
        pytest.fail(error, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give the assertions of a test, and of its fixtures, their options and a folder."""
    token = setting.set(Setting(lambda: item_options(item), lambda: item_folder(item)))
    try:
        return (yield)
    finally:
        setting.reset(token)


def item_options(item: pytest.Item) -> dict[str, Any]:
    """Return the options of a test: those of its markers, the nearest first, and then the project's."""
    return {**project_options(item.config), **marker_options(item)}


def marker_options(item: pytest.Item) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for marker in item.iter_markers(MARKER):
        if marker.args:
            raise Malformed(f"@pytest.mark.{MARKER}({marker.args[0]!r})", "expected names: seconds=5")
        check_options(marker.kwargs, f"@pytest.mark.{MARKER}")
        options = {**marker.kwargs, **options}
    return options


def project_options(config: pytest.Config) -> Mapping[str, Any]:
    """Return the table `[tool.interp.testing]` of the project's pyproject.toml; `Malformed` if it is none."""
    if PROJECT not in config.stash:
        from interp.apps.checking.project import NAME, TESTING, read_table

        path = config.rootpath / NAME
        table = read_table(path).get(TESTING, {}) if path.is_file() else {}
        check_options(table, f"{path}: [tool.interp.{TESTING}]")
        config.stash[PROJECT] = table
    return config.stash[PROJECT]


def item_folder(item: pytest.Item) -> Path | None:
    """Return a new folder for what fails in a test, beside the temporary folders of pytest's own fixtures."""
    factory: Any = getattr(item.config, "_tmp_path_factory", None)
    return Path(factory.mktemp("interp")) if factory else None


class Checks:
    """The assertions, with their answers in `answers`; JUnit's report of the test has them, too."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self.answers: list[Any] = []
        self._properties = request.node.user_properties

    def assert_permitted(self, program: Any, *args: Any, got: Any, **options: Any) -> Any:
        """Call `interp.testing.assert_permitted`, and return its answer."""
        __tracebackhide__ = True
        return self._record("permitted", assert_permitted(program, *args, got=got, **options))

    def assert_close_to_float(self, program: Any, *args: Any, got: Any = None, **options: Any) -> Any:
        """Call `interp.testing.assert_close_to_float`, and return its answer."""
        __tracebackhide__ = True
        return self._record("close to float", assert_close_to_float(program, *args, got=got, **options))

    def _record(self, name: str, answer: Any) -> Any:
        self.answers.append(answer)
        self._properties.append((f"interp: {name}", repr(answer)))
        return answer


@pytest.fixture
def interp_check(request: pytest.FixtureRequest) -> Checks:
    """The assertions of `interp.testing`, which keep their answers and write them to JUnit's report."""
    return Checks(request)
