// clause: scatter: updates in ascending order of their index
// 1 after 2048 is lost; two of them together would not be, but updates are never combined with each other.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2048.0, 1.0]> : tensor<2xf16>
// args: dense<[[0], [0], [1], [1], [1]]> : tensor<5x1xi32>
// args: dense<[1.0, 1.0, 2048.0, 1.0, 1.0]> : tensor<5xf16>
// expect: dense<[2048.0, 2048.0]> : tensor<2xf16>
module {
  func.func @main(%arg0: tensor<2xf16>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xf16>) -> tensor<2xf16> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<2xf16>, tensor<5x1xi32>, tensor<5xf16>) -> tensor<2xf16>
    "func.return"(%0) : (tensor<2xf16>) -> ()
  }
}
