"""Generated networks as LiteRT models, with arguments and the reference kernels' results.

    python tools/litert_networks.py OUT [NAME...]

It needs TensorFlow and ai-edge-litert, in an environment of its own. Weights are random; each network is
written in several ways: int8, int16x8, dynamic range, float16 and float32. Beside each model is an .npz with
the arguments x0, x1, ... and the results y0, y1, ... of a few runs, of the shape (runs, ...).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from litert_architectures import ARCHITECTURES

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
    **ARCHITECTURES,
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
OLDER = {"TILE": 2, "DEPTH_TO_SPACE": 1}  # whose newer versions are the same, but not registered


WORDS = 20  # of a vocabulary


def samples(inputs: Sequence[Any], seed: int) -> list[np.ndarray]:
    """Return random arguments for tensors; integers are numbers of words."""
    rng, drawn = np.random.default_rng(seed), []
    for x in inputs:
        shape, is_word = (1, *x.shape[1:]), "int" in str(x.dtype)
        drawn.append(rng.integers(0, WORDS, shape) if is_word else rng.standard_normal(shape))
    return [x.astype(np.int32 if x.dtype.kind == "i" else np.float32) for x in drawn]


def convert(model: tf.keras.Model, how: str) -> bytes:
    """Return a model converted in a way."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)

    def calibration() -> Iterator[list[np.ndarray]]:
        for seed in range(20):
            yield samples(model.inputs, seed)

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
        converter.inference_output_type = kind
        if all("int" not in str(x.dtype) for x in model.inputs):
            converter.inference_input_type = kind
    if how == "float16":
        converter.target_spec.supported_types = [tf.float16]
    content: bytes = converter.convert()
    return content


def with_older_versions(content: bytes) -> bytes:
    """Return a model that asks for the versions of operators that the reference kernels have."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT.InitFromPackedBuf(content, 0)
    for code in model.operatorCodes:
        for name, version in OLDER.items():
            if max(code.builtinCode, code.deprecatedBuiltinCode) == getattr(schema.BuiltinOperator, name):
                code.version = min(code.version, version)
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def results(content: bytes, runs: int = RUNS) -> dict[str, np.ndarray]:
    """Return arguments and the reference kernels' results, stacked; state stays from run to run."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    started = Interpreter(
        model_content=with_older_versions(content),
        num_threads=1,
        experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
    )
    started.allocate_tensors()
    rng, known = np.random.default_rng(7), dict[str, list[np.ndarray]]()
    for _ in range(runs):
        for k, detail in enumerate(started.get_input_details()):
            dtype = np.dtype(detail["dtype"])
            x = rng.standard_normal(detail["shape"]) * 1.5
            if dtype == np.int32:
                x = rng.integers(0, WORDS, detail["shape"])
            elif dtype.kind in "iu":
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
    if len(wanted) > 1:
        for name in wanted:  # in a process of its own, which some conversions end
            subprocess.run([sys.executable, __file__, str(out), name], check=False)
        return
    (name,) = wanted
    tf.keras.utils.set_random_seed(len(name))
    if name == "stream":
        module = Stream()
        concrete = module.step.get_concrete_function()
        content = tf.lite.TFLiteConverter.from_concrete_functions([concrete], module).convert()
        write(out / "stream.float32", content)
        return
    model = NETWORKS[name]()
    for how in ("float32", "float16", "dynamic", *(() if name in RECURRENT else CALIBRATED)):
        try:
            write(out / f"{name}.{how}", convert(model, how))
        except Exception as error:
            print(f"{name}.{how}: {type(error).__name__}: {str(error)[:200]}", flush=True)


def write(path: Path, content: bytes) -> None:
    np.savez_compressed(f"{path}.npz", **results(content))
    Path(f"{path}.tflite").write_bytes(content)
    print(f"{path.name}: {len(content):,} bytes", flush=True)


if __name__ == "__main__":
    main()
