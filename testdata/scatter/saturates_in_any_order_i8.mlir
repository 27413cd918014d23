// clause: scatter: the element is folded with its updates in the body's type
// 120 + 10 + 10 saturates in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[123, 123, 0]> : tensor<3xi8>
// args: dense<[[0], [0], [1], [1]]> : tensor<4x1xi32>
// args: dense<[13, 13, -17, 13]> : tensor<4xi8>
// expect: dense<[127, 113, 0]> : tensor<3xi8>
// wrong (wrapped instead of saturated): dense<[-113, 113, 0]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b0: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<!quant.uniform<i8:f32, 0.5:3>>
      "stablehlo.return"(%r0) : (tensor<!quant.uniform<i8:f32, 0.5:3>>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x1xi32>, tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
    "func.return"(%0) : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> ()
  }
}
