"""Thirteen networks from PyTorch's ONNX exporter with drawn weights, and their quantized forms.

    python -m exporting.onnx_networks FOLDER [NAME ...] [--size N]

Architectures are torchvision's, or small ones of our own; weights are drawn from a fixed seed, batch norms
see a few drawn batches first. Nothing is downloaded. Each network is written as `NAME.onnx`, and in the forms
of onnxruntime's quantizer, per channel, as `NAME.qdq.onnx` and `NAME.qoperator.onnx`.

size: images of N x N, not 64 x 64.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import torchvision
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

BATCHES = 3  # drawn ones: for the statistics of batch norms, and to calibrate the quantizer


class Detector(nn.Module):
    """Two scales of boxes over convolutions with SiLU, concatenated, as one-stage detectors have them."""

    def __init__(self) -> None:
        super().__init__()

        def block(inputs: int, outputs: int, stride: int) -> nn.Module:
            conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
            return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.SiLU())

        self.stem = nn.Sequential(block(3, 8, 2), block(8, 16, 2), block(16, 16, 1))
        self.deep = nn.Sequential(block(16, 32, 2), nn.MaxPool2d(5, 1, 2), block(32, 16, 1))
        self.up = nn.Upsample(scale_factor=2)
        self.merge = block(32, 16, 1)
        self.heads = nn.ModuleList(nn.Conv2d(16, 9, 1) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        shallow = self.stem(x)
        deep = self.deep(shallow)
        merged = self.merge(torch.cat([shallow, self.up(deep)], 1))
        found = [head(y).flatten(2) for head, y in zip(self.heads, (merged, deep), strict=True)]
        return torch.sigmoid(torch.cat(found, 2)).transpose(1, 2)


class ConvolutionsThenLSTM(nn.Module):
    """Convolutions over a line of text, then a bidirectional LSTM over its columns (a CRNN)."""

    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.Sequential(
            nn.Conv2d(1, 8, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, 1, 1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d((2, 1)),
        )  # fmt: skip
        self.lstm = nn.LSTM(16 * 4, 24, bidirectional=True, batch_first=True)
        self.last = nn.Linear(48, 12)

    def forward(self, x: Tensor) -> Tensor:
        columns = self.convolutions(x).permute(0, 3, 1, 2).flatten(2)
        return self.last(self.lstm(columns)[0]).log_softmax(-1)


class Recurrent(nn.Module):
    """An embedding by a linear layer, two recurrent layers of a kind, and the last state's classes."""

    def __init__(self, kind: type[nn.RNNBase]) -> None:
        super().__init__()
        self.first = nn.Linear(12, 16)
        self.layers = kind(16, 24, num_layers=2, batch_first=True)
        self.last = nn.Linear(24, 5)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.layers(torch.tanh(self.first(x)))[0][:, -1])


class Encoder(nn.Module):
    """Two layers of a transformer's encoder over drawn features, with GELU, and a mean over positions."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.last = nn.Linear(32, 5)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.encoder(x).mean(1))


class UNet(nn.Module):
    """An encoder and a decoder of convolutions with a skip, transposed convolutions, and group norms."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), nn.BatchNorm2d(8), nn.ReLU())
        wide = nn.Conv2d(8, 16, 3, 1, 1)
        self.bottom = nn.Sequential(nn.MaxPool2d(2), wide, nn.GroupNorm(4, 16), nn.ReLU())
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)
        self.merge = nn.Sequential(nn.Conv2d(16, 8, 3, 1, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.1))
        self.last = nn.Conv2d(8, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        skip = self.down(x)
        up = self.up(self.bottom(skip))
        smooth = nn.functional.interpolate(skip, scale_factor=0.5, mode="bilinear")
        wide = nn.functional.interpolate(smooth, scale_factor=2.0, mode="bilinear")
        return self.last(self.merge(torch.cat([wide, up], 1)))


def vision(name: str) -> Callable[[], nn.Module]:
    return lambda: torchvision.models.get_model(name, weights=None, num_classes=10)


IMAGE = (1, 3, 64, 64)
NETWORKS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "resnet18": (vision("resnet18"), IMAGE),
    "mobilenet_v3": (vision("mobilenet_v3_small"), IMAGE),
    "shufflenet": (vision("shufflenet_v2_x0_5"), IMAGE),
    "efficientnet_b0": (vision("efficientnet_b0"), IMAGE),
    "squeezenet": (vision("squeezenet1_1"), IMAGE),
    "regnet": (vision("regnet_y_400mf"), IMAGE),
    "densenet121": (vision("densenet121"), IMAGE),
    "detector": (Detector, IMAGE),
    "crnn": (ConvolutionsThenLSTM, (1, 1, 16, 48)),
    "gru": (lambda: Recurrent(nn.GRU), (1, 24, 12)),
    "rnn": (lambda: Recurrent(nn.RNN), (1, 24, 12)),
    "encoder": (Encoder, (1, 24, 32)),
    "unet": (UNet, IMAGE),
}


def draw(name: str, shape: tuple[int, ...]) -> nn.Module:
    """Return a network in its state for inference, with weights from a fixed seed."""
    torch.manual_seed(sum(map(ord, name)))
    network = NETWORKS[name][0]().train()
    for each in network.modules():
        if isinstance(each, nn.Dropout):
            each.p = 0.0
    with torch.no_grad():
        for _ in range(BATCHES):
            network(torch.randn(8, *shape[1:]))
    return network.eval()


class Drawn(CalibrationDataReader):
    """Drawn inputs, as onnxruntime's quantizer asks for them."""

    def __init__(self, name: str, shape: tuple[int, ...]) -> None:
        random = np.random.default_rng(0)
        self.batches: Iterator[dict[str, Any]] = iter(
            [{name: random.normal(size=shape).astype(np.float32)} for _ in range(BATCHES)]
        )

    def get_next(self) -> dict[str, Any] | None:
        return next(self.batches, None)


def write(name: str, folder: Path, size: int | None = None) -> None:
    """Write a network and its quantized forms; size: that of images, 64 if None."""
    shape = NETWORKS[name][1]
    if size and shape == IMAGE:
        shape = (*shape[:2], size, size)
    path = folder / f"{name}.onnx"
    network = draw(name, shape)
    names = {"input_names": ["x"], "output_names": ["y"]}
    torch.onnx.export(network, (torch.randn(*shape),), path, **names, external_data=False, verbose=False)
    ready = folder / f"{name}.ready.onnx"
    quant_pre_process(path, ready, skip_symbolic_shape=True)
    kinds = {"per_channel": True, "weight_type": QuantType.QInt8, "activation_type": QuantType.QUInt8}
    for form in QuantFormat:
        to = folder / f"{name}.{form.name.lower()}.onnx"
        quantize_static(ready, to, Drawn("x", shape), quant_format=form, **kinds)
        drop_traces(to)
    drop_traces(path)
    ready.unlink()


def drop_traces(path: Path) -> None:
    """Write a model without the stack traces of its nodes, which name files of the machine."""
    model = onnx.load(path)
    for node in model.graph.node:
        kept = [each for each in node.metadata_props if "stack_trace" not in each.key]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    onnx.save(model, path)


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help=", ".join(NETWORKS))
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    for name in options.names or NETWORKS:
        write(name, options.folder, options.size)
        sizes = (f"{p.name} {p.stat().st_size >> 10} KiB" for p in sorted(options.folder.glob(f"{name}.*")))
        print(*sizes, sep=", ", flush=True)


if __name__ == "__main__":
    main()
