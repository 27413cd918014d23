"""ONNX Runtime on the CPU."""

from __future__ import annotations

from interp.apps.runtimes import onnx_folds, onnx_moves, onnx_rules
from interp.apps.runtimes.onnx_graph import OnnxGraph, versions
from interp.apps.runtimes.translation import Runtime

RULES = onnx_rules.RULES | onnx_moves.MOVES | onnx_folds.FOLDS
RUNTIMES = {"onnxruntime": Runtime("onnxruntime", versions, OnnxGraph, RULES)}
