"""Search for the recipes of requantization that give an implementation's results."""

from __future__ import annotations

from interp.apps.suite.cases import Arrays, same, stored
from spec.accumulator import INTEGER
from spec.errors import InterpError
from spec.ir import Module
from spec.recipes import RECIPES


def recipes_of(module: Module, args: Arrays, given: Arrays, mode: str) -> tuple[str, ...]:
    """Return the recipes with which the integer reading gives exactly these results."""
    wanted = [stored(x, type) for x, type in zip(given, module.main.results, strict=True)]

    def gives(recipe: str) -> bool:
        from interp.execute.run import run

        try:
            results = run(module, *args, mode=mode, reading=INTEGER, recipe=recipe)
        except InterpError:  # the integer reading refuses the program, or the recipe is not defined for it
            return False
        return all(y is not None and same(x.storage, y) for x, y in zip(results, wanted, strict=True))

    return tuple(filter(gives, RECIPES))
