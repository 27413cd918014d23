"""Options of assertions: those of a call before those of its test's markers, and these before the project's.

Nothing here, nor in `asserts.py`, loads NumPy or jax before an assertion takes place: pytest imports them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from spec.errors import Malformed, one_of

PERMITTED, CLOSE = "assert_permitted", "assert_close_to_float"
FAIL, PASS = "fail", "pass"
SECONDS, DIAGNOSE = 60.0, 2.0
OF_RUN = ("function", "mode", "reading", "accumulator", "recipe")
OWN = ("unknown", "diagnose", "save")
# The options of each assertion; the project and a marker may give any of them.
NAMES: Mapping[str, tuple[str, ...]] = {
    PERMITTED: (*OF_RUN, "schedules", "only", "inits", "limit", "most", "seconds", *OWN),
    CLOSE: (*OF_RUN, "schedule", "against", *OWN),
}
EVERY = tuple(dict.fromkeys(name for names in NAMES.values() for name in names))


class Setting(NamedTuple):
    """Surroundings of an assertion: the options of its test, and a folder for programs that fail, if any."""

    options: Callable[[], Mapping[str, Any]] = dict
    folder: Callable[[], Path | None] = lambda: None


NO_TEST = Setting()
setting: ContextVar[Setting] = ContextVar("setting", default=NO_TEST)


class Options(NamedTuple):
    """Options of one assertion: those of its verb, and what an assertion does with the answer."""

    verb: dict[str, Any]
    unknown: str
    diagnose: float
    folder: Path | None

    @property
    def passes_unknown(self) -> bool:
        return self.unknown == PASS


def check_options(given: Mapping[str, Any], where: str, known: tuple[str, ...] = EVERY) -> None:
    """Raise `Malformed` for a name that is no option, or one that cannot be used."""
    if others := [name for name in given if name not in known]:
        raise Malformed(f"{where}: no option {others[0]!r}", f"known: {', '.join(known)}")
    if "unknown" in given:
        one_of((FAIL, PASS), given["unknown"], "way to take an unknown verdict")
    for name in ("diagnose", "seconds"):
        value = given.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise Malformed(f"{where}: {name} = {value!r}", "expected a number of seconds, 0 or more")


def options_for(assertion: str, given: Mapping[str, Any]) -> Options:
    """Return the options of a call: its own, else those of the test around it, else the defaults."""
    known = NAMES[assertion]
    check_options(given, assertion, known)
    around = setting.get()
    shared = {name: value for name, value in around.options().items() if name in known}
    chosen = {**({"seconds": SECONDS} if "seconds" in known else {}), **shared, **given}
    unknown, diagnose = chosen.pop("unknown", FAIL), chosen.pop("diagnose", DIAGNOSE)
    save = chosen.pop("save", None)
    return Options(chosen, unknown, float(diagnose), around.folder() if save is None else Path(save))
