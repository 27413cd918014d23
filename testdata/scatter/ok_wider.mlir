// is_promotable(element_type(inputs[i]), Ei)
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<4x3x5x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x2x1xi32>, %arg2: tensor<4x2x5x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x3x5x!quant.uniform<i32:f32, 0.5:3>> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<!quant.uniform<i32:f32, 0.5:3>>, %b0: tensor<!quant.uniform<i32:f32, 0.5:3>>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!quant.uniform<i32:f32, 0.5:3>>, tensor<!quant.uniform<i32:f32, 0.5:3>>) -> tensor<!quant.uniform<i32:f32, 0.5:3>>
      "stablehlo.return"(%r0) : (tensor<!quant.uniform<i32:f32, 0.5:3>>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false} : (tensor<4x3x5x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x2x1xi32>, tensor<4x2x5x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x3x5x!quant.uniform<i32:f32, 0.5:3>>
    "func.return"(%0) : (tensor<4x3x5x!quant.uniform<i32:f32, 0.5:3>>) -> ()
  }
}
