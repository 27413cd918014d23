"""A network whose first layer torchao stores as int4 by groups, as PyTorch's exporter writes it in ONNX."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torchao.quantization import IntxWeightOnlyConfig, PerGroup, quantize_


def main(folder: Path) -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 4)).eval()
    quantize_(net[0], IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(16)))
    x = torch.randn(3, 64)
    with torch.no_grad():
        wanted = net(x).numpy()
    # the optimizer would compute the weights as floats, and drop the integers
    made = torch.onnx.export(net, (x,), dynamo=True, verbose=False, optimize=False).model_proto
    for node in made.graph.node:  # places in the file system of whoever runs this are nobody's business
        kept = [each for each in node.metadata_props if "stack_trace" not in each.key]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    path = folder.parent / "blocks" / "torchao_int4.onnx"
    onnx.save(made, path)
    np.savez_compressed(path.with_suffix(".npz"), arg0=x.numpy(), out0=wanted)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
