// clause: scatter: inputs and updates are converted to the body's type
// In f32, 1 would be lost beside 2^24.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[16777216.0, 1.0]> : tensor<2xf32>
// args: dense<[[0], [0], [0]]> : tensor<3x1xi32>
// args: dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
// expect: dense<[16777219.0, 1.0]> : tensor<2xf64>
module {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf32>) -> tensor<2xf64> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<2xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<2xf64>
    "func.return"(%0) : (tensor<2xf64>) -> ()
  }
}
