"""ONNX Runtime on the CPU."""

from __future__ import annotations

from interp.suite.foreign import onnx_folds, onnx_moves, onnx_rules
from interp.suite.foreign.onnx_graph import OnnxGraph, versions
from interp.suite.foreign.translation import Runtime

RULES = onnx_rules.RULES | onnx_moves.RULES | onnx_folds.RULES
RUNTIMES = {"onnxruntime": Runtime("onnxruntime", versions, OnnxGraph, RULES)}
