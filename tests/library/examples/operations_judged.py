"""Operations that violate no row, and changes that violate one: control, sort and dynamic shapes.

A region is its signature: `"f32; f32 -> i1"` takes two arguments, and returns values of the other types.
"""

from __future__ import annotations

from typing import Any

from spec.ir import Op, Region, Value
from tests.library.builders import arguments, convolving, types

Q, QA = "!quant.uniform<i8:f32, 5.0e-1>", "!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>"
FINER = "!quant.uniform<i8:f32, 2.5e-1>"


def regions(*signatures: str) -> tuple[Region, ...]:
    return tuple(map(region, signatures))


def region(signature: str) -> Region:
    inputs, outputs = map(types, signature.split("->"))
    returned = tuple(Value(f"%returned{k}", type) for k, type in enumerate(outputs))
    return Region(arguments(inputs), (Op("stablehlo.return", returned, ()),))


BRANCHES = regions(f"-> 2x{QA}; f32", f"-> 2x{QA}; f32")
LOOP = regions("i32; 2xf32 -> i1", "i32; 2xf32 -> i32; 2xf32")
SUM = {"dimensions": (0,), "regions": regions("f32; i8 -> f32")}
SORT = {"dimension": -1, "is_stable": True, "regions": regions(f"f32; f32; {Q}; {Q} -> i1")}

GATHER = {
    "offset_dims": (1,),
    "collapsed_slice_dims": (0,),
    "operand_batching_dims": (),
    "start_indices_batching_dims": (),
    "start_index_map": (0,),
    "index_vector_dim": 1,
    "indices_are_sorted": False,
}
CONVOLUTION = {key: x for key, x in convolving("b0f 0io b0f").items() if key != "padding"}
CONV = "1x4x2xf32; 2x2x3xf32; 1x2xi64 -> 1x3x3xf32"
QB = "!quant.uniform<i8:f32:1, {5.0e-1, 2.5e-1}>"
WIDE, DOUBLE = "!quant.uniform<i16:f32, 5.0e-1>", "!quant.uniform<i8:f64, 5.0e-1>"
BLOCKS = "!quant.uniform<i8:f32:{0:1}, {{5.0e-1}, {2.5e-1}}>"


def conv(lhs: str, rhs: str, result: str) -> str:
    """The types of a valid convolution but for their elements."""
    return f"1x4x2x{lhs}; 2x2x3x{rhs}; 1x2xi64 -> 1x3x3x{result}"


# What follows "regions" stands in `Op.regions`, the rest in its attributes.
VALID: dict[str, tuple[str, dict[str, Any]]] = {
    "case": (f"i32 -> 2x{QA}; f32", {"regions": BRANCHES}),
    "dynamic_broadcast_in_dim": (f"1x{Q}; 1xi32 -> 2x{Q}", {"broadcast_dimensions": (0,)}),
    "dynamic_conv": (CONV, CONVOLUTION),
    "dynamic_gather": ("3x4xf32; 5x1xi8; 2xi64 -> 5x2xf32", GATHER),
    "dynamic_iota": ("2xui8 -> 2x3xf32", {"iota_dimension": 1}),
    "dynamic_pad": ("2xf32; f32; 1xi64; 1xi64; 1xi64 -> 4xf32", {}),
    "dynamic_reshape": (f"2x3x{QA}; 3xi32 -> 2x3x1x{QA}", {}),
    "get_dimension_size": (f"2x3x{QA} -> i32", {"dimension": 1}),
    "real_dynamic_slice": ("4xf32; 1xi32; 1xi32; 1xi32 -> 2xf32", {}),
    "if": (f"i1 -> 2x{QA}; f32", {"regions": BRANCHES}),
    "map": ("2xf32; 2xi8 -> 2xf32", SUM),
    "optimization_barrier": (f"2x{Q}; f32 -> 2x{Q}; f32", {}),
    "sort": (f"2xf32; 2x{Q} -> 2xf32; 2x{Q}", SORT),
    "while": ("i32; 2xf32 -> i32; 2xf32", {"regions": LOOP}),
}
INVALID: dict[str, str | dict[str, Any]] = {
    "case_i1": f"i64 -> 2x{QA}; f32",
    "case_c1": {"regions": ()},
    "case_c2": {"regions": regions(f"i32 -> 2x{QA}; f32")},
    "case_c3": {"regions": (*BRANCHES, region("-> f32"))},
    "case_c4": "i32 -> f32",
    "dynamic_broadcast_in_dim_i1": "1xf32 -> 2xf32",
    "dynamic_broadcast_in_dim_i2": "1xf32; 1xf32 -> 2xf32",
    "dynamic_broadcast_in_dim_i3": {"broadcast_dimensions": 0.5},
    "dynamic_broadcast_in_dim_i4": {"known_expanding_dimensions": 0},
    "dynamic_broadcast_in_dim_i5": {"known_nonexpanding_dimensions": 0},
    "dynamic_broadcast_in_dim_c1": "1xf32; 1xi32 -> 2xf64",
    "dynamic_broadcast_in_dim_c2": {"broadcast_dimensions": ()},
    "dynamic_broadcast_in_dim_c3": {"broadcast_dimensions": (1,)},
    "dynamic_broadcast_in_dim_c4": {"broadcast_dimensions": (0, 0)},
    "dynamic_broadcast_in_dim_c5": "3xf32; 1xi32 -> 2xf32",
    "dynamic_broadcast_in_dim_c6": f"2x{QA}; 2xi32 -> 2x2x{QB}",
    "dynamic_broadcast_in_dim_c7": "1xf32; 2xi32 -> 2xf32",
    "dynamic_broadcast_in_dim_c8": {
        "known_expanding_dimensions": (0,),
        "known_nonexpanding_dimensions": (0,),
    },
    "dynamic_broadcast_in_dim_c9": {"known_expanding_dimensions": (1,)},
    "dynamic_broadcast_in_dim_c10": {"known_nonexpanding_dimensions": (-1,)},
    "dynamic_conv_i1": "1x4x2xf32; 2x2x3xf32 -> 1x3x3xf32",
    "dynamic_conv_o1": conv("f32", "f32", "i8"),
    "dynamic_conv_i3": "1x4x2xf32; 2x2x3xf32; 2xi64 -> 1x3x3xf32",
    "dynamic_conv_i4": {"window_strides": 1},
    "dynamic_conv_i8": {"feature_group_count": (1,)},
    "dynamic_conv_c1": "1x4x2xf32; 2x3xf32; 1x2xi64 -> 1x3x3xf32",
    "dynamic_conv_c2": {"window_strides": (1, 1)},
    "dynamic_conv_c3": {"window_strides": (0,)},
    "dynamic_conv_c4": "1x4x2xf32; 2x2x3xf32; 2x2xi64 -> 1x3x3xf32",
    "dynamic_conv_c5": {"lhs_dilation": (1, 1)},
    "dynamic_conv_c6": {"lhs_dilation": (0,)},
    "dynamic_conv_c7": {"rhs_dilation": (1, 1)},
    "dynamic_conv_c8": {"rhs_dilation": (0,)},
    "dynamic_conv_c9": {"window_reversal": ()},
    "dynamic_conv_c10": {"batch_group_count": 3},
    "dynamic_conv_c11": {"feature_group_count": 3},
    "dynamic_conv_c12": {"input_spatial_dimensions": (1, 2)},
    "dynamic_conv_c13": {"input_feature_dimension": 0},
    "dynamic_conv_c14": "1x4x2xf32; 2x1x3xf32; 1x2xi64 -> 1x3x3xf32",
    "dynamic_conv_c15": {"batch_group_count": 2},
    "dynamic_conv_c16": {"feature_group_count": 2},
    "dynamic_conv_c17": {"kernel_spatial_dimensions": ()},
    "dynamic_conv_c18": {"kernel_input_feature_dimension": 3},
    "dynamic_conv_c19": {"output_spatial_dimensions": ()},
    "dynamic_conv_c20": {"output_batch_dimension": 1},
    "dynamic_conv_c21": {"feature_group_count": 0},
    "dynamic_conv_c22": {"batch_group_count": 0},
    "dynamic_conv_c23": {"feature_group_count": 2, "batch_group_count": 2},
    "dynamic_conv_c24": {"precision_config": ("HIGH",) * 3},
    "dynamic_conv_c25": "1x4x2xf32; 2x2x3xf32; 1x2xi64 -> 1x3x4xf32",
    "dynamic_conv_c26": "1x4x2xf32; 2x2x3xf32; 1x2xi64 -> 3x3xf32",
    "dynamic_conv_c27": conv("f32", "f32", "f64"),
    "dynamic_conv_c28": conv(Q, Q, "f32"),
    "dynamic_conv_c29": conv(Q, QB, Q),
    "dynamic_conv_c30": f"1x4x2x{Q}; 2x2x3x{Q}; 1x2xi64 -> 2x3x3x{QA}",
    "dynamic_conv_c31": conv(Q, WIDE, Q),
    "dynamic_conv_c32": conv(Q, Q, DOUBLE),
    "dynamic_conv_c33": f"1x4x2x{Q}; 2x2x3x{Q}; 1x2xi64 -> 2x3x3x{QA}",
    "dynamic_conv_c34": conv("f64", Q, "f64"),
    "dynamic_gather_i1": f"2x4x{QA}; 5x1xi8; 2xi64 -> 5x2x{Q}",
    "dynamic_gather_i2": "3x4xf32; 5x1xf32; 2xi64 -> 5x2xf32",
    "dynamic_gather_i3": "3x4xf32; 5x1xi8; 2xf64 -> 5x2xf32",
    "dynamic_gather_i4": {"offset_dims": 1},
    "dynamic_gather_i7": {"index_vector_dim": (1,)},
    "dynamic_gather_c1": {"collapsed_slice_dims": ()},
    "dynamic_gather_c2": {"index_vector_dim": 3},
    "dynamic_gather_c3": {"start_index_map": (0, 1)},
    "dynamic_gather_c4": {"offset_dims": (1, 0)},
    "dynamic_gather_c5": {"offset_dims": (2,)},
    "dynamic_gather_c6": {"collapsed_slice_dims": (1, 0)},
    "dynamic_gather_c7": {"collapsed_slice_dims": (2,)},
    "dynamic_gather_c9": {"start_index_map": (0, 0)},
    "dynamic_gather_c10": {"start_index_map": (2,)},
    "dynamic_gather_c11": "3x4xf32; 5x1xi8; 3xi64 -> 5x2xf32",
    "dynamic_gather_c13": "3x4xf32; 5x1xi8; 2xi64 -> 4x2xf32",
    "dynamic_gather_c14": "3x4xf32; 5x1xi8; 2xi64 -> 5x2xf64",
    "dynamic_iota_i1": "2xf32 -> 2x3xf32",
    "dynamic_iota_i2": "2xui8 -> 2x3xi1",
    "dynamic_iota_c1": {"iota_dimension": 2},
    "dynamic_iota_c2": "2xui8 -> 2xf32",
    "dynamic_pad_i1": f"2x{QA}; {Q}; 1xi64; 1xi64; 1xi64 -> 4x{Q}",
    "dynamic_pad_i2": "2xf32; 1xf32; 1xi64; 1xi64; 1xi64 -> 4xf32",
    "dynamic_pad_i3": "2xf32; f32; i64; 1xi64; 1xi64 -> 4xf32",
    "dynamic_pad_i4": "2xf32; f32; 1xi64; 1xf32; 1xi64 -> 4xf32",
    "dynamic_pad_i5": "2xf32; f32; 1xi64; 1xi64; 1x1xi64 -> 4xf32",
    "dynamic_pad_c1": "2xf32; f64; 1xi64; 1xi64; 1xi64 -> 4xf32",
    "dynamic_pad_c2": "2xf32; f32; 1xi64; 2xi64; 1xi64 -> 4xf32",
    "dynamic_reshape_i1": "2xf32; 1xi32; 1xi32 -> 2xf32",
    "dynamic_reshape_i2": "2xf32; i32 -> 2xf32",
    "dynamic_reshape_c1": "2xf32; 1xi32 -> 2xf64",
    "dynamic_reshape_c2": "2xf32; 1xi32 -> 3xf32",
    "dynamic_reshape_c3": f"2x3x{QA}; 2xi32 -> 3x2x{QB}",
    "dynamic_reshape_c4": "2xf32; 2xi32 -> 2xf32",
    "get_dimension_size_i1": f"2x{BLOCKS} -> i32",
    "get_dimension_size_i2": {"dimension": "0"},
    "get_dimension_size_o1": "2x3xf32 -> i64",
    "get_dimension_size_c1": {"dimension": 2},
    "real_dynamic_slice_i1": f"2x{QA}; 1xi32; 1xi32; 1xi32 -> 2x{QA}",
    "real_dynamic_slice_i2": "4xf32; i32; 1xi32; 1xi32 -> 2xf32",
    "real_dynamic_slice_i3": "4xf32; 1xi32; 1xf32; 1xi32 -> 2xf32",
    "real_dynamic_slice_i4": "4xf32; 1xi32; 1xi32; 1x1xi32 -> 2xf32",
    "real_dynamic_slice_c1": "4xf32; 1xi32; 1xi32; 1xi32 -> 2xf64",
    "real_dynamic_slice_c2": "4xf32; 2xi32; 1xi32; 1xi32 -> 2xf32",
    "if_i1": f"i32 -> 2x{QA}; f32",
    "if_i2": {"regions": BRANCHES[:1]},
    "if_c1": {"regions": regions(f"i1 -> 2x{QA}; f32", f"-> 2x{QA}; f32")},
    "if_c2": {"regions": (BRANCHES[0], region("-> f32"))},
    "if_c3": "i1 -> f32",
    "map_i1": f"2xf32; 2x{QA} -> 2xf32",
    "map_i2": {"dimensions": 0},
    "map_i3": {"regions": ()},
    "map_c1": "2xf32; 2xi8 -> 3xf32",
    "map_c2": "-> 2xf32",
    "map_c3": {"dimensions": ()},
    "map_c4": {"regions": regions("f32; i8 -> i8")},
    "optimization_barrier_i1": f"2x{QA}; f32 -> 2x{QA}; f32",
    "optimization_barrier_c1": f"2x{Q}; f32 -> 2x{FINER}; f32",
    "sort_i1": f"2xf32; 2x{QA} -> 2xf32; 2x{QA}",
    "sort_i2": {"dimension": "0"},
    "sort_i3": {"is_stable": 1},
    "sort_i4": {"regions": ()},
    "sort_c1": "->",
    "sort_c2": f"2xf32; 2x{Q} -> 2xf32; 2x{FINER}",
    "sort_c3": f"2xf32; 3x{Q} -> 2xf32; 3x{Q}",
    "sort_c4": {"dimension": 1},
    "sort_c5": {"regions": regions(f"f32; {Q}; f32; {Q} -> i1")},
    "while_i2": {"regions": LOOP[:1]},
    "while_c1": {"regions": (region("i32; 2xf32 -> i32"), LOOP[1])},
    "while_c2": {"regions": (LOOP[0], region("i32; 2xf32 -> 2xf32; i32"))},
    "while_c3": "i32; 2xf32 -> i32; 3xf32",
}
