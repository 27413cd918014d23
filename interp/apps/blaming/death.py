"""Programs that end or hang XLA's process: the pass that does it, and the smallest such slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interp.apps.blaming.cut import cut
from interp.apps.blaming.search import LETHAL, SEEN, Delta, Search, Switch, Tried, largest, options
from interp.apps.blaming.slices import Slice, Slicer
from interp.apps.diagnosing.search import differing
from interp.backends import Array
from interp.engine.work import Covered
from interp.execute.xla_process import XlaDied
from spec.errors import InterpError
from spec.ir import Module, Op


@dataclass
class Survival(Search):
    """Search for the fewest passes without which XLA gives results of a program that ends its process."""

    def culprits(self) -> tuple[Switch, ...]:
        """Return passes without which there are results, none of which can be left out, or ()."""
        self.expected = self.engine
        found = self.work.attempt(self._survivor)
        if found is None:
            tried = sum(len(off) == 1 for off in self.results)
            self.work.covered.append(Covered("switches", tried, max(tried + 1, len(self._switches))))
        self.rows = [self._row(tuple(off)) for off in self.results if len(off) == 1]
        self.together = self._row(found) if found and len(found) > 1 else None
        return found or ()

    def _survivor(self) -> tuple[Switch, ...]:
        """Try the pass that ends most processes, then all together and by halves, then each alone."""
        self._switches = [each for each in self._effective_switches(self._suspects()) if each.is_pass]
        self._switches.sort(key=lambda each: each.name != LETHAL)
        if self._lives(self._switches[:1]):
            return tuple(self._switches[:1])
        if self._lives(self._switches):
            return tuple(Delta(self._lives, self.work, "switches together").smallest(self._switches))
        return next(((each,) for each in self._switches[1:] if self._lives([each])), ())

    def _suspects(self) -> Sequence[str]:
        """Return the passes that change the program, and if there is no dump those of other programs."""
        if names := self._pass_names():
            return names
        try:
            others = self.passes(self.module, options(self.base, map(Switch, SEEN)))
        except InterpError:
            others = []
        return list(dict.fromkeys([*SEEN, *self._optional(others)]))

    def _lives(self, off: Sequence[Switch]) -> bool:
        return bool(off) and not isinstance(self.run(off), str)

    def _row(self, off: tuple[Switch, ...]) -> Tried:
        found = self.run(off)
        if isinstance(found, str):
            return Tried(off, None, error=found)
        return Tried(off, differing(found, self.engine), largest(found, self.engine), changes=True)


@dataclass
class FatalSlicer(Slicer):
    """Search for the smallest slice on which `left` dies or hangs, and `right` gives results."""

    failure: str = ""

    def suspects(self) -> Sequence[Op]:
        """Return all operations, none if the process survives them."""
        return self.program.ops if self.differs(self.program.ops) else ()

    def slice(self, ops: Sequence[Op], cause: str, minimal: bool) -> Slice | None:
        """Return the slice that last ended the process."""
        module, args = cut(self.program, ops)
        _, others, ours = map(tuple, self.proof)
        named = tuple(map(self.heading, ops))
        return Slice(cause, named, module, tuple(args), (), others, ours, minimal, self.failure)

    def _differs(self, module: Module, args: Sequence[Array]) -> bool:
        try:
            self.left(module, args)
        except XlaDied as error:
            failure = error.verdict
        except InterpError:
            return False
        else:
            return False
        try:
            self.proof = [], self.right(module, args), self.engine(module, args)
        except InterpError:
            return False
        self.failure = failure
        return True
