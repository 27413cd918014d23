// clause: scatter: inputs and updates are converted to the body's type
// Sums beyond i8; an element without an update has the scale of the result, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[100, -100, 127]> : tensor<3xi8>
// args: dense<[[0], [0], [1]]> : tensor<3x1xi32>
// args: dense<[127, 127, -128]> : tensor<3xi8>
// expect: dense<[690, -468, 248]> : tensor<3xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[690, 44, 248]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.25:0>> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<!quant.uniform<i32:f32, 0.25:0>>, %b0: tensor<!quant.uniform<i32:f32, 0.25:0>>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!quant.uniform<i32:f32, 0.25:0>>, tensor<!quant.uniform<i32:f32, 0.25:0>>) -> tensor<!quant.uniform<i32:f32, 0.25:0>>
      "stablehlo.return"(%r0) : (tensor<!quant.uniform<i32:f32, 0.25:0>>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.25:0>>
    "func.return"(%0) : (tensor<3x!quant.uniform<i32:f32, 0.25:0>>) -> ()
  }
}
