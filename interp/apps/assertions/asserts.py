"""`assert_permitted` and `assert_close_to_float`: for tests, with or without pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interp.apps.assertions.options import CLOSE, PERMITTED, options_for

if TYPE_CHECKING:
    from interp.comparison.comparison import Comparison
    from interp.loading.load import Program
    from interp.questions.permitted.permits import Permits


def assert_permitted(program: Program, *args: Any, got: Any, **options: Any) -> Permits:
    """Raise `AssertionError` unless the specification permits an implementation's results; else return why.

    program: whatever `interp.load` takes, or a JAX function of `args`, in its pytrees. got: the results, an
    array, a tuple of arrays or the function's pytree; or the implementation itself, which is called with
    `args`. Quantized arguments and results are stored integers.

    unknown: "pass" to accept elements of which nothing is proved, if something is proved of others.
    schedules, only, inits, limit, most, seconds, reading, accumulator, recipe, function, mode: those of
    `interp.permits`; seconds is 60 unless given. diagnose: seconds for the search of a cause, 2 unless given,
    0 for none. save: a folder for a program that fails and its arrays. A test's marker and the project's
    `[tool.interp.testing]` may give all of these, too. Raises `InterpError` for what cannot be judged.
    """
    __tracebackhide__ = True
    from interp.apps.assertions.failure import permitted_failure
    from interp.apps.assertions.judge import judge_permitted

    found = judge_permitted(program, args, got, chosen := options_for(PERMITTED, options))
    if failure := permitted_failure(found, chosen):
        raise AssertionError(failure)
    return found.answer


def assert_close_to_float(program: Program, *args: Any, got: Any = None, **options: Any) -> Comparison:
    """Raise `AssertionError` unless results are within the bound of their float reference; else return both.

    The bound is that of `interp.compare`: what the roundings of this program, run on these arguments, can add
    up to. got: results, or an implementation, as for `assert_permitted`; the program's own run without it.
    The bound assumes that they come of the program's operations, along this `schedule`. against: a JAX
    function of the dequantized arguments in place of the program's float reference.

    Elements that saturate, or whose operations no rule bounds, have no bound: they fail as unknown. With
    unknown="pass" they are left out, if others have a bound. schedule, reading, accumulator, recipe,
    function, mode: those of `interp.compare`. diagnose, save: as for `assert_permitted`.
    """
    __tracebackhide__ = True
    from interp.apps.assertions.failure import float_failure
    from interp.apps.assertions.judge import judge_close

    found = judge_close(program, args, got, chosen := options_for(CLOSE, options))
    if failure := float_failure(found, chosen):
        raise AssertionError(failure)
    return found.answer
