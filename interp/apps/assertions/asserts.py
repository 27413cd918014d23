"""`assert_permitted` and `assert_close_to_float`: for tests, with or without pytest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from interp.apps.assertions.options import CLOSE, PERMITTED, options_for
from spec.errors import Bug, InterpError

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

    answer: Permits = _check(PERMITTED, judge_permitted, permitted_failure, (program, args, got), options)
    return answer


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

    answer: Comparison = _check(CLOSE, judge_close, float_failure, (program, args, got), options)
    return answer


# What a person sees of a failure: the frames of the test and of what it calls, and our message.

PACKAGES = ("interp", "spec")
__unittest = True  # unittest leaves the frames of this module out of a failure; pytest has __tracebackhide__


def _check(
    assertion: str,
    judge: Callable[..., Any],
    explain: Callable[..., str],
    given: Sequence[Any],
    options: dict[str, Any],
) -> Any:
    """Return the answer of a judgement; raise `AssertionError` if `explain` says why it fails."""
    __tracebackhide__ = True
    try:
        found = judge(*given, chosen := options_for(assertion, options))
        failure = explain(found, chosen)
    except Exception as error:
        leave_out_frames(error)
        raise
    if failure:
        raise AssertionError(failure)
    return found.answer


def leave_out_frames(error: BaseException | None) -> None:
    """Remove our frames from an error, and from those that it was raised for, unless it is a bug of ours."""
    while error is not None:
        frames = []
        trace = error.__traceback__
        while trace is not None:
            frames.append(trace)
            trace = trace.tb_next
        is_bug = isinstance(error, Bug) or not isinstance(error, InterpError)
        if not frames or (is_bug and _is_ours(frames[-1])):
            return
        rest = None
        for each in reversed(frames):
            rest = (
                rest if _is_ours(each) else TracebackType(rest, each.tb_frame, each.tb_lasti, each.tb_lineno)
            )
        error.__traceback__ = rest
        error.__suppress_context__ |= error.__cause__ is None and rest is None
        error = error.__cause__ or error.__context__


def _is_ours(trace: TracebackType) -> bool:
    return trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] in PACKAGES
