"""TOSA's reference model."""

from __future__ import annotations

from interp.suite.foreign import tosa_folds, tosa_rules
from interp.suite.foreign.tosa_graph import TosaGraph, versions
from interp.suite.foreign.translation import Runtime

RUNTIMES = {"tosa": Runtime("tosa", versions, TosaGraph, tosa_rules.RULES | tosa_folds.RULES)}
