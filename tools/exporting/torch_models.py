"""PyTorch modules exported to StableHLO by litert-torch, with what PyTorch computes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from litert_converter.mlir import passmanager
from litert_torch.backend.export import exported_program_to_mlir
from litert_torch.quantize.pt2e_quantizer import PT2EQuantizer, get_symmetric_quantization_config
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from exporting.digits import digits


class Classifier(nn.Module):
    """Two convolutions with pooling, and a dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.dense = nn.Linear(8 * 2 * 2, 5)

    def forward(self, x: Any) -> Any:
        x = nn.functional.max_pool2d(torch.relu(self.first(x)), 2)
        x = nn.functional.avg_pool2d(torch.relu(self.second(x)), 2)
        return self.dense(x.flatten(1))


class Inverted(nn.Module):
    """An inverted residual block of MobileNet, its batch norms folded by `eval`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(4, 8, 1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU6(),
            nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU6(),
            nn.Conv2d(8, 4, 1, bias=False),
            nn.BatchNorm2d(4),
        )

    def forward(self, x: Any) -> Any:
        return x + self.layers(x)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4, batch_first=True)

    def forward(self, x: Any) -> Any:
        return self.lstm(x)[0]


def models() -> dict[str, tuple[nn.Module, tuple[Any, ...]]]:
    """Return the modules and their arguments, by name."""
    torch.manual_seed(0)
    return {
        "cnn": (Classifier(), (torch.randn(2, 1, 8, 8),)),
        "mobilenet_block": (Inverted(), (torch.randn(1, 4, 6, 6),)),
        "lstm": (Recurrent(), (torch.randn(2, 5, 3),)),
        "transformer": (nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (torch.randn(2, 4, 8),)),
        "mlp": (
            nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3)),
            (torch.randn(4, 6),),
        ),
        "embedding": (nn.Sequential(nn.Embedding(10, 4), nn.Softmax(-1)), (torch.tensor([[1, 2], [9, 0]]),)),
    }


def trained() -> tuple[nn.Module, Any, np.ndarray]:
    """Return a classifier of digits, images to judge it with, and their labels."""
    torch.manual_seed(0)
    images, labels, judged, wanted = digits()
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU()
    )
    model = nn.Sequential(model, nn.AvgPool2d(2), nn.Flatten(), nn.Linear(16 * 2 * 2, 10))
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    x, y = torch.from_numpy(images[:, None]), torch.from_numpy(labels)
    for _ in range(150):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model.eval(), torch.from_numpy(judged[:, None]), wanted


def quantized(model: nn.Module, args: tuple[Any, ...], is_dynamic: bool) -> nn.Module:
    """Return the module quantized to int8 with a scale per channel, calibrated on its arguments."""
    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=is_dynamic)
    quantizer = PT2EQuantizer().set_global(config)
    prepared = prepare_pt2e(torch.export.export(model, args).module(), quantizer)
    prepared(*args)
    return convert_pt2e(prepared, fold_quantize=False)


def main(folder: Path) -> None:
    given = {name: (model.eval(), args) for name, (model, args) in models().items()}
    for name, is_dynamic in (("cnn", False), ("mobilenet_block", False), ("mlp", True)):
        model, args = given[name]
        given[f"{name}_{'dynamic' if is_dynamic else 'static'}_int8"] = (
            quantized(model, args, is_dynamic),
            args,
        )
    model, images, labels = trained()
    given["digits_int8"] = quantized(model, (images,), False), (images,)
    for name, (model, args) in given.items():
        with torch.no_grad():
            result = model(*args)
        lowered = exported_program_to_mlir(torch.export.export(model, args))
        path = folder / f"torch_{name}.mlirbc"
        with lowered.ctx:  # places in the file system of whoever runs this are nobody's business
            passmanager.PassManager.parse("builtin.module(strip-debuginfo)").run(lowered.module.operation)
        path.write_bytes(lowered.module_bytecode)
        arrays = {f"arg{k}": x.numpy() for k, x in enumerate(args)} | {"out0": result.numpy()}
        if name == "digits_int8":
            arrays |= {"labels": labels}
        np.savez_compressed(path.with_suffix(".npz"), **arrays)
        print(path.name, path.stat().st_size, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
