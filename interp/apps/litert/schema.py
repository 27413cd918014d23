"""The schema of LiteRT models: names of operators, element types, and the fields of options."""

from __future__ import annotations

from typing import Any, NamedTuple

# The names of built-in operators, in the order of their numbers.
OPERATORS = """ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE
EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D
LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU
RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH
CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD
UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB
DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN EXP
TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX
MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV
SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN
FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK
REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE
RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL
REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE
MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5
SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL PLACEHOLDER_FOR_GREATER_OP_CODES
CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE
HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE
READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS RANDOM_STANDARD_NORMAL BUCKETIZE
RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD
UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST
BITWISE_XOR RIGHT_SHIFT STABLEHLO_LOGISTIC STABLEHLO_ADD STABLEHLO_DIVIDE
STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM STABLEHLO_RESHAPE STABLEHLO_CLAMP
STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM STABLEHLO_CONVOLUTION STABLEHLO_SLICE
STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS STABLEHLO_AND STABLEHLO_COSINE
STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM STABLEHLO_NEGATE
STABLEHLO_OR STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT
STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE STABLEHLO_CONVERT
STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA
STABLEHLO_DOT_GENERAL STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE
STABLEHLO_GATHER STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR REDUCE_WINDOW
STABLEHLO_COMPOSITE STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT STABLEHLO_CASE""".split()

# The tables of options, less the word "Options", in the order of their numbers.
TABLES = """NONE Conv2D DepthwiseConv2D ConcatEmbeddings LSHProjection Pool2D SVDF RNN FullyConnected Softmax
Concatenation Add L2Norm LocalResponseNormalization LSTM ResizeBilinear Call Reshape SkipGram
SpaceToDepth EmbeddingLookupSparse Mul Pad Gather BatchToSpaceND SpaceToBatchND Transpose Reducer
Sub Div Squeeze SequenceRNN StridedSlice Exp TopKV2 Split LogSoftmax Cast Dequantize MaximumMinimum
ArgMax Less Neg PadV2 Greater GreaterEqual LessEqual Select Slice TransposeConv SparseToDense Tile
ExpandDims Equal NotEqual Shape Pow ArgMin FakeQuant Pack LogicalOr OneHot LogicalAnd LogicalNot
Unpack FloorDiv Square ZerosLike Fill BidirectionalSequenceLSTM BidirectionalSequenceRNN
UnidirectionalSequenceLSTM FloorMod Range ResizeNearestNeighbor LeakyRelu SquaredDifference
MirrorPad Abs SplitV Unique ReverseV2 AddN GatherNd Cos Where Rank ReverseSequence MatrixDiag
Quantize MatrixSetDiag HardSwish If While DepthToSpace NonMaxSuppressionV4 NonMaxSuppressionV5
ScatterNd SelectV2 Densify SegmentSum BatchMatMul Cumsum CallOnce BroadcastTo Rfft2d Conv3D
Hashtable HashtableFind HashtableImport HashtableSize VarHandle ReadVariable AssignVariable Random
Bucketize Gelu DynamicUpdateSlice UnsortedSegmentProd UnsortedSegmentMax UnsortedSegmentMin
UnsortedSegmentSum ATan2 Sign Bitcast BitwiseXor RightShift""".split()

# Element types in the order of their numbers, as those of MLIR; "" has none.
ELEMENTS = (
    "f32 f16 i32 ui8 i64 - i1 i16 complex<f32> i8 f64 complex<f64> ui64 - - ui32 ui16 i4 bf16 i2 ui4 "
    "f8E4M3FN f8E5M2"
).split()
KINDS = "STRING RESOURCE VARIANT".split()  # that are no tensors of numbers
RESOURCE = 13
ACTIVATIONS = ("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT")
SAME, VALID = 0, 1
# Enumerations in options that name element types, and others.
BYTE, INT, BOOL, FLOAT = "<b", "<i", "<?", "<f"


class Option(NamedTuple):
    """A field of a table of options: its number, its form, and its default."""

    field: int
    form: str = INT
    default: Any = 0


_ACTIVATION_FIRST = {"activation": Option(0, BYTE)}
_SUBGRAPHS = {"first": Option(0), "second": Option(1)}
_CONVOLUTION = {
    "padding": Option(0, BYTE),
    "stride_w": Option(1),
    "stride_h": Option(2),
    "activation": Option(3, BYTE),
    "dilation_w": Option(4, default=1),
    "dilation_h": Option(5, default=1),
}
_POOL = {
    "padding": Option(0, BYTE),
    "stride_w": Option(1),
    "stride_h": Option(2),
    "filter_w": Option(3),
    "filter_h": Option(4),
    "activation": Option(5, BYTE),
}
_REDUCTION = {"keep_dims": Option(0, BOOL, False)}
_CORNERS = {"align_corners": Option(0, BOOL, False), "half_pixel_centers": Option(1, BOOL, False)}
# The options of operators that have any, by the names of the operators.
OPTIONS: dict[str, dict[str, Option]] = {
    **dict.fromkeys(("ADD", "SUB", "MUL", "DIV", "L2_NORMALIZATION"), _ACTIVATION_FIRST),
    **dict.fromkeys(
        ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "REDUCE_ANY", "REDUCE_ALL"), _REDUCTION
    ),
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D"), _POOL),
    **dict.fromkeys(("IF", "WHILE"), _SUBGRAPHS),
    **{name: {"block_size": Option(0)} for name in ("SPACE_TO_DEPTH", "DEPTH_TO_SPACE")},
    **{name: {"type": Option(0, BYTE)} for name in ("ARG_MAX", "ARG_MIN", "SHAPE")},
    "BATCH_MATMUL": {"adj_x": Option(0, BOOL, False), "adj_y": Option(1, BOOL, False)},
    "CALL": {"subgraph": Option(0)},
    "CALL_ONCE": {"subgraph": Option(0)},
    "CAST": {"to": Option(1, BYTE)},
    "CONCATENATION": {"axis": Option(0), "activation": Option(1, BYTE)},
    "CONV_2D": _CONVOLUTION,
    "CUMSUM": {"exclusive": Option(0, BOOL, False), "reverse": Option(1, BOOL, False)},
    "DEPTHWISE_CONV_2D": {
        **_CONVOLUTION,
        "depth_multiplier": Option(3),
        "activation": Option(4, BYTE),
        "dilation_w": Option(5, default=1),
        "dilation_h": Option(6, default=1),
    },
    "FULLY_CONNECTED": {
        "activation": Option(0, BYTE),
        "format": Option(1, BYTE),
        "keep_num_dims": Option(2, BOOL, False),
        "asymmetric": Option(3, BOOL, False),
    },
    "GATHER": {"axis": Option(0), "batch_dims": Option(1)},
    "GELU": {"approximate": Option(0, BOOL, False)},
    "LEAKY_RELU": {"alpha": Option(0, FLOAT, 0.0)},
    "MIRROR_PAD": {"mode": Option(0, BYTE)},
    "ONE_HOT": {"axis": Option(0)},
    "PACK": {"axis": Option(1)},
    "RESIZE_BILINEAR": {
        "align_corners": Option(2, BOOL, False),
        "half_pixel_centers": Option(3, BOOL, False),
    },
    "RESIZE_NEAREST_NEIGHBOR": _CORNERS,
    "SOFTMAX": {"beta": Option(0, FLOAT, 0.0)},
    "STRIDED_SLICE": {
        name: Option(k) for k, name in enumerate(("begin", "end", "ellipsis", "new_axis", "shrink_axis"))
    }
    | {"offset": Option(5, BOOL, False)},
    "TRANSPOSE_CONV": {
        name: _CONVOLUTION[name] for name in ("padding", "stride_w", "stride_h", "activation")
    },
    "UNIDIRECTIONAL_SEQUENCE_LSTM": {
        "activation": Option(0, BYTE),
        "cell_clip": Option(1, FLOAT, 0.0),
        "projection_clip": Option(2, FLOAT, 0.0),
        "time_major": Option(3, BOOL, False),
    },
    "UNPACK": {"axis": Option(1)},
}

# The tables that hold the options of operators which `write` writes as `load` found them.
OPTION_TABLES = {
    "ADD": "Add",
    "AVERAGE_POOL_2D": "Pool2D",
    "BATCH_MATMUL": "BatchMatMul",
    "GELU": "Gelu",
    "L2_NORMALIZATION": "L2Norm",
    "LEAKY_RELU": "LeakyRelu",
    "SOFTMAX": "Softmax",
}


class Fields:
    """The numbers of the fields of tables."""

    VERSION, CODES, SUBGRAPHS, DESCRIPTION, BUFFERS, _, METADATA, SIGNATURES = range(8)
    OLD_CODE, CUSTOM_CODE, CODE_VERSION, CODE = range(4)
    TENSORS, INPUTS, OUTPUTS, NODES, NAME = range(5)
    SHAPE, TYPE, BUFFER, TENSOR_NAME, QUANTIZATION, IS_VARIABLE, SPARSITY, SIGNATURE = range(8)
    SCALE, ZERO_POINT, DETAILS, AXIS = 2, 3, 4, 6
    OPCODE, NODE_INPUTS, NODE_OUTPUTS, OPTIONS_TYPE, OPTIONS = range(5)
    INTERMEDIATES = 8
    DATA, OFFSET, SIZE = range(3)
    KEY_INPUTS, KEY_OUTPUTS, KEY = range(3)
    KEY_SUBGRAPH = 4
    MAP_NAME, MAP_TENSOR = range(2)
