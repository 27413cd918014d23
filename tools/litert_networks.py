"""Generated networks as LiteRT models, with arguments and the reference kernels' results.

    python tools/litert_networks.py OUT [NAME...]

It needs TensorFlow and ai-edge-litert, in an environment of its own. Weights are random; each network is
written in several ways: int8, int16x8, dynamic range, float16 and float32. Beside each model is an .npz with
the arguments x0, x1, ... and the results y0, y1, ... of a few runs, of the shape (runs, ...).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

RUNS = 4
K = tf.keras.layers


def cnn(width: int = 8, size: int = 12, classes: int = 5, act: str = "relu") -> tf.keras.Model:
    x = inputs = K.Input((size, size, 3), batch_size=1)
    x = K.Conv2D(width, 3, padding="same", activation=act)(x)
    x = K.MaxPool2D()(x)
    x = K.Conv2D(2 * width, 3, strides=2, activation=act)(x)
    x = K.AveragePooling2D(2, padding="same")(x)
    x = K.Flatten()(x)
    x = K.Dense(classes)(x)
    return tf.keras.Model(inputs, K.Softmax()(x))


def mobilenet(width: int = 8, size: int = 16, blocks: int = 3) -> tf.keras.Model:
    x = inputs = K.Input((size, size, 3), batch_size=1)
    x = K.Conv2D(width, 3, strides=2, padding="same")(x)
    x = K.ReLU(6.0)(x)
    for k in range(blocks):
        y = K.Conv2D(3 * width, 1)(x)
        y = K.ReLU(6.0)(K.BatchNormalization()(y))
        y = K.DepthwiseConv2D(3, padding="same")(y)
        y = K.ReLU(6.0)(y)
        y = K.Conv2D(width, 1)(y)
        x = K.Add()([x, y]) if k else y
    x = K.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, K.Dense(7, activation="softmax")(x))


def dense(width: int = 20, act: str = "tanh") -> tf.keras.Model:
    x = inputs = K.Input((9,), batch_size=1)
    x = K.Dense(width, activation=act)(x)
    y = K.Dense(width, activation="sigmoid")(x)
    x = K.Multiply()([x, y])
    return tf.keras.Model(inputs, K.Dense(3)(x))


def squeeze_excite(width: int = 8) -> tf.keras.Model:
    x = inputs = K.Input((10, 10, 3), batch_size=1)
    x = K.Conv2D(width, 3, activation="relu")(x)
    y = K.GlobalAveragePooling2D(keepdims=True)(x)
    y = K.Conv2D(4, 1, activation="relu")(y)
    y = K.Conv2D(width, 1, activation="sigmoid")(y)
    x = K.Multiply()([x, y])
    return tf.keras.Model(inputs, K.Conv2D(2, 3)(x))


def conv1d(width: int = 6) -> tf.keras.Model:
    x = inputs = K.Input((20, 3), batch_size=1)
    x = K.Conv1D(width, 3, padding="causal", activation="relu")(x)
    x = K.Conv1D(width, 3, dilation_rate=2, padding="same")(x)
    x = K.MaxPool1D()(x)
    return tf.keras.Model(inputs, K.Dense(4)(K.Flatten()(x)))


def unet(width: int = 4) -> tf.keras.Model:
    x = inputs = K.Input((8, 8, 2), batch_size=1)
    x = first = K.Conv2D(width, 3, padding="same", activation="relu")(x)
    x = K.MaxPool2D()(x)
    x = K.Conv2D(2 * width, 3, padding="same", activation="relu")(x)
    x = K.Conv2DTranspose(width, 2, strides=2)(x)
    x = K.Concatenate()([x, first])
    x = K.UpSampling2D(interpolation="bilinear")(x)
    return tf.keras.Model(inputs, K.Conv2D(1, 1, activation="sigmoid")(x))


def attention(width: int = 8, length: int = 6) -> tf.keras.Model:
    x = inputs = K.Input((length, width), batch_size=1)
    q, k, v = (K.Dense(width)(x) for _ in range(3))
    scores = K.Softmax()(K.Dot((2, 2))([q, k]))
    x = K.Add()([x, K.Dot((2, 1))([scores, v])])
    x = K.LayerNormalization()(x)
    return tf.keras.Model(inputs, K.Dense(3)(x))


def mixed() -> tf.keras.Model:
    x = inputs = K.Input((6, 6, 4), batch_size=1)
    y = K.ZeroPadding2D(1)(x)
    y = K.Conv2D(4, 3, activation="leaky_relu")(y)
    z = K.Activation("hard_silu")(x)
    x = K.Maximum()([y, z])
    x = K.Subtract()([x, K.Cropping2D(0)(y)])
    x = K.Permute((2, 1, 3))(x)
    x = K.Reshape((36, 4))(x)
    return tf.keras.Model(inputs, K.Average()([x, x]))


def lstm(width: int = 5) -> tf.keras.Model:
    x = inputs = K.Input((4, 3), batch_size=1)
    return tf.keras.Model(inputs, K.Dense(2)(K.LSTM(width)(x)))


def gru(width: int = 5) -> tf.keras.Model:
    x = inputs = K.Input((4, 3), batch_size=1)
    return tf.keras.Model(inputs, K.Dense(2)(K.GRU(width, reset_after=False)(x)))


class Stream(tf.Module):
    """A filter that keeps its last inputs in a variable."""

    def __init__(self) -> None:
        super().__init__()
        self.past = tf.Variable(tf.zeros((1, 2, 3)), name="past")
        self.weights = tf.constant(np.random.default_rng(0).standard_normal((9, 2)).astype(np.float32))

    @tf.function(input_signature=[tf.TensorSpec((1, 1, 3), tf.float32)])
    def step(self, x: Any) -> Any:
        whole = tf.concat([self.past, x], 1)
        self.past.assign(whole[:, 1:])
        return tf.nn.relu(tf.matmul(tf.reshape(whole, (1, 9)), self.weights))


NETWORKS: dict[str, Callable[[], tf.keras.Model]] = {
    "attention": attention,
    "cnn": cnn,
    "cnn_wide": lambda: cnn(16, 20, 11, "relu6"),
    "conv1d": conv1d,
    "dense": dense,
    "dense_relu": lambda: dense(31, "relu"),
    "gru": gru,
    "lstm": lstm,
    "mixed": mixed,
    "mobilenet": mobilenet,
    "mobilenet_v2": lambda: tf.keras.applications.MobileNetV2(
        weights=None, classes=10, input_tensor=K.Input((96, 96, 3), batch_size=1)
    ),
    "mobilenet_wide": lambda: mobilenet(16, 24, 5),
    "squeeze_excite": squeeze_excite,
    "unet": unet,
}
CALIBRATED = ("int8", "int16x8", "uint8_io")
RECURRENT = ("gru", "lstm")


def samples(shapes: list[tuple[int, ...]], seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def convert(model: tf.keras.Model, how: str) -> bytes:
    """Return a model converted in a way."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    shapes = [tuple(x.shape) for x in model.inputs]

    def calibration() -> Iterator[list[np.ndarray]]:
        for seed in range(20):
            yield samples(shapes, seed)

    if how != "float32":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if how in CALIBRATED:
        converter.representative_dataset = calibration
        sets = tf.lite.OpsSet
        converter.target_spec.supported_ops = [
            sets.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
            if how == "int16x8"
            else sets.TFLITE_BUILTINS_INT8
        ]
        kind = {"int8": tf.int8, "int16x8": tf.int16, "uint8_io": tf.uint8}[how]
        converter.inference_input_type = converter.inference_output_type = kind
    if how == "float16":
        converter.target_spec.supported_types = [tf.float16]
    content: bytes = converter.convert()
    return content


def results(content: bytes, runs: int = RUNS) -> dict[str, np.ndarray]:
    """Return arguments and the reference kernels' results, stacked; state stays from run to run."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    started = Interpreter(
        model_content=content, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF
    )
    started.allocate_tensors()
    rng, known = np.random.default_rng(7), dict[str, list[np.ndarray]]()
    for _ in range(runs):
        for k, detail in enumerate(started.get_input_details()):
            dtype = np.dtype(detail["dtype"])
            x = rng.standard_normal(detail["shape"]) * 1.5
            if dtype.kind in "iu":
                low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
                x = np.clip(np.rint(x * high / 3 + (128 if dtype.kind == "u" else 0)), low, high)
            started.set_tensor(detail["index"], x.astype(dtype))
            known.setdefault(f"x{k}", []).append(x.astype(dtype))
        started.invoke()
        for k, detail in enumerate(started.get_output_details()):
            known.setdefault(f"y{k}", []).append(np.array(started.get_tensor(detail["index"])))
    return {name: np.stack(arrays) for name, arrays in known.items()}


def main() -> None:
    out, wanted = Path(sys.argv[1]), sys.argv[2:] or [*NETWORKS, "stream"]
    out.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        tf.keras.utils.set_random_seed(len(name))
        if name == "stream":
            module = Stream()
            concrete = module.step.get_concrete_function()
            content = tf.lite.TFLiteConverter.from_concrete_functions([concrete], module).convert()
            write(out / "stream.float32", content)
            continue
        model = NETWORKS[name]()
        ways = ("float32", "float16", "dynamic", *(() if name in RECURRENT else CALIBRATED))
        for how in ways:
            try:
                write(out / f"{name}.{how}", convert(model, how))
            except Exception as error:
                print(f"{name}.{how}: {type(error).__name__}: {str(error)[:200]}")


def write(path: Path, content: bytes) -> None:
    np.savez_compressed(f"{path}.npz", **results(content))
    Path(f"{path}.tflite").write_bytes(content)
    print(f"{path.name}: {len(content):,} bytes", flush=True)


if __name__ == "__main__":
    main()
