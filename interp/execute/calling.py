"""JAX's calling convention: the pytrees of a `jax.export.Exported` or a `jax.stages.Lowered`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from interp.execute.refine import refine
from interp.loading.load import as_module, as_written, is_program
from interp.loading.models import is_function, is_pair
from interp.loading.models import program as lowered
from spec.accumulation import Accumulation
from spec.accumulator import DEQUANTIZE, Reading, is_profile, reading_named
from spec.errors import Malformed
from spec.ir import Defaults, Module

# The arguments of the program among those of a verb, by the verbs that take any. Judges take results, too.
JUDGES = ("diagnose", "permits")
ARGUMENTS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(JUDGES, lambda args: args[0]),
    **dict.fromkeys(("blame", "compare", "plan", "run", "step", "trace"), lambda args: args),
    "reveal": lambda args: args[1:],
}
# The verbs that run a program in a reading of quantized operations.
READS = (
    *("blame", "compare", "compile", "diagnose", "lower", "permits", "plan", "prove", "run", "run_parallel"),
    *("step", "survey", "trace", "trace_parallel", "widths"),
)


@dataclass(frozen=True)
class Calling:
    """The pytrees of a function's arguments and results, and the leaves that the program takes."""

    in_tree: Any
    out_tree: Any
    kept: Sequence[int]

    def leaves(self, args: Sequence[Any], options: dict[str, Any]) -> list[Any] | None:
        """Return the program's arguments from those of the function, or None if these are flat already.

        Keyword arguments of the function are removed from `options`. `Malformed` if the trees differ.
        """
        from jax import tree_util

        _, keywords = tree_util.tree_unflatten(self.in_tree, [None] * self.in_tree.num_leaves)
        given = {name: options.pop(name) for name in keywords if name in options}
        leaves, tree = tree_util.tree_flatten((tuple(args), given))
        if tree == self.in_tree:
            return [_array(leaves[k]) for k in self.kept]
        if len(leaves) == len(args) == len(self.kept):
            return None
        raise Malformed("the arguments are not those of the function", f"expected {self.in_tree}\ngot {tree}")

    def sample(self, given: Any) -> Any:
        """Return the program's arguments for a tuple of the function's; anything else unchanged."""
        if not isinstance(given, tuple | list):
            return given
        leaves = self.leaves(given, {})
        return given if leaves is None else tuple(leaves)

    def results(self, flat: Sequence[Any]) -> Any:
        """Return the program's results as the function's tree of results."""
        return self.out_tree.unflatten(flat)


def calling_of(program: Any) -> Calling | None:
    """Return JAX's calling convention for an exported or lowered function; None for other programs."""
    if hasattr(program, "module_kept_var_idx"):
        return Calling(program.in_tree, program.out_tree, program.module_kept_var_idx)
    if hasattr(program, "compiler_ir") and hasattr(program, "in_tree"):
        kept = getattr(program, "_lowering", None) and program._lowering.compile_args.get("kept_var_idx")
        return Calling(program.in_tree, program.out_tree, sorted(kept or range(program.in_tree.num_leaves)))
    return None


class Call(NamedTuple):
    """A verb's program as a module, and its arguments as arrays; `flat`: whether they were in trees."""

    module: Module
    args: Sequence[Any]
    options: dict[str, Any]
    calling: Calling | None
    flat: bool


def call_verb(verb: Callable[..., Any], program: Any, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Call a verb on a program in any form; for one of JAX, with its function's arguments and results."""
    name = verb.__name__
    is_plain = type(program) is Module and program.defaults is None and not program.is_dynamic
    is_literal = options.get("reading") in (None, DEQUANTIZE)
    if name == "run" and is_plain and is_literal and not _has_own_order(options.get("schedule")):
        return verb(program, *args, **options)
    call = prepare_call(name, program, args, options)
    answer = verb(call.module, *call.args, **with_defaults(name, call))
    if call.calling and name == "run" and call.flat:
        return call.calling.results(_without_tokens(answer))
    return with_trees(answer, call.calling) if call.calling and name == "compile" else answer


def with_defaults(name: str, call: Call) -> dict[str, Any]:
    """Return the options of a verb, with the module's defaults for what nobody asked."""
    defaults, options = call.module.defaults, call.options
    if defaults is None or name not in READS:
        return options
    return {**options, **reading_and_recipe(defaults, options.get("reading"), options.get("recipe"))}


def reading_and_recipe(defaults: Defaults, reading: Any, recipe: str | None) -> dict[str, Any]:
    """Return the reading and the recipe that were asked for, or else those of a module's defaults."""
    reading = defaults.reading if reading is None else reading
    if recipe is None and reading == defaults.reading:
        recipe = defaults.recipe
    if not isinstance(reading, Reading):  # one that a verb gets is not said to be unused
        reading = reading_named(reading, None, recipe)
    return {"reading": reading, "recipe": recipe}


def prepare_call(name: str, program: Any, args: Sequence[Any], options: dict[str, Any]) -> Call:
    """Return what the verb of this name gets for a program in any form, and arguments in trees.

    A JAX function alone is a program of the arguments that the verb gets. The second of two programs to
    compare is what the first is compared against.
    """
    options = dict(options)
    if name == "compare" and args and (is_program(args[0]) or is_function(args[0])):
        args, options["against"] = args[1:], args[0]
    if is_pair(program):
        program = lowered(program[0], *program[1])
    elif is_function(program) and name in ARGUMENTS:
        program = lowered(program, *ARGUMENTS[name](args))
    read = partial(as_written, mode=_mode(args, options)) if name == "verify" else as_module
    module, calling = read(program), calling_of(program)
    flat = None
    if calling and name in ARGUMENTS:
        flat = calling.leaves(ARGUMENTS[name](args), options)
    if flat is not None:
        args = (flat, _leaves(args[1]), *args[2:]) if name in JUDGES else [*args[: name == "reveal"], *flat]
    if module.is_dynamic and name in ARGUMENTS:
        given = ARGUMENTS[name](args)
        if given or not module.main.inputs:  # else the verb says what is missing
            module = refine(module, *given)
    if options.get("reading") not in (None, DEQUANTIZE):
        from interp.loading.scaled_dots import in_reading  # which few programs need

        module = in_reading(module, options["reading"])
    if _has_own_order(options.get("schedule")):
        if options.get("accumulator") is not None:
            raise Malformed(
                "a schedule that is an accumulation, beside an accumulator", "expected one of both"
            )
        options["accumulator"] = options.pop("schedule")
    return Call(module, args, options, calling, flat is not None)


def _has_own_order(schedule: Any) -> bool:
    """Return whether what is given as a schedule is an accumulation, or the profile of hardware."""
    return isinstance(schedule, Accumulation) or is_profile(schedule)


def _mode(args: Sequence[Any], options: dict[str, Any]) -> Any:
    return options.get("mode", args[0] if args else "strict")


def _without_tokens(results: Sequence[Any]) -> list[Any]:
    """Return results without the tokens of ordered effects, which JAX hides from the caller."""
    return [x for x in results if not isinstance(x, tuple)]


def with_trees(compiled: Callable[..., Any], calling: Calling) -> Callable[..., Any]:
    """Return a compiled program that takes and returns the function's trees."""
    from functools import wraps

    @wraps(compiled)
    def call(*args: Any, **keywords: Any) -> Any:
        flat = calling.leaves(args, keywords)
        return (
            compiled(*args, **keywords) if flat is None else calling.results(_without_tokens(compiled(*flat)))
        )

    return call


def _leaves(tree: Any) -> list[Any]:
    from jax import tree_util

    return list(tree_util.tree_leaves(tree))


def _array(leaf: Any) -> Any:
    """Return a leaf as an array: a random key becomes its words, a Python number JAX's type for it."""
    import jax
    from jax import dtypes

    if isinstance(leaf, bool | int | float | complex):
        return jax.numpy.asarray(leaf)
    if isinstance(leaf, jax.Array) and jax.numpy.issubdtype(leaf.dtype, dtypes.prng_key):
        return jax.random.key_data(leaf)
    return leaf
