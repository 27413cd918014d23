"""PyTorch on the CPU, eager, with the default engine for quantized tensors."""

from __future__ import annotations

from interp.apps.runtimes import torch_folds, torch_rules
from interp.apps.runtimes.torch_graph import TorchGraph, versions
from interp.apps.runtimes.translation import Runtime

RUNTIMES = {"torch": Runtime("torch", versions, TorchGraph, torch_rules.RULES | torch_folds.FOLDS)}
