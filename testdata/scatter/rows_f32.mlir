// clause: scatter: updates that land on the same element all count
// Small halves, whose sums are exact in every order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[2.5, 4.5, 2.5], [-2.0, -1.5, 1.5], [1.5, 2.0, 3.5], [-2.0, 4.0, -4.5]]> : tensor<4x3xf32>
// args: dense<[[0], [3], [0], [2], [3], [0]]> : tensor<6x1xi32>
// args: dense<[[-4.0, 4.5, 4.0], [-2.0, -3.5, -2.0], [-4.5, 3.5, 1.5], [1.0, -2.5, -0.5], [-3.0, 2.5, 0.0], [-4.5, -2.5, 2.0]]> : tensor<6x3xf32>
// expect: dense<[[-10.5, 1.0e+01, 1.0e+01], [-2.0, -1.5, 1.5], [2.5, -0.5, 3.0], [-7.0, 3.0, -6.5]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<6x1xi32>, %arg2: tensor<6x3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x3xf32>, tensor<6x1xi32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    "func.return"(%0) : (tensor<4x3xf32>) -> ()
  }
}
