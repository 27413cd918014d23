"""TOSA's reference model."""

from __future__ import annotations

from interp.apps.runtimes import tosa_folds, tosa_rules
from interp.apps.runtimes.tosa_graph import TosaGraph, versions
from interp.apps.runtimes.translation import Runtime

RUNTIMES = {"tosa": Runtime("tosa", versions, TosaGraph, tosa_rules.RULES | tosa_folds.FOLDS)}
