// clause: scatter: an update out of bounds changes nothing; the rest of its window does
// Windows start before the first element, at the last one and far beyond. XLA leaves out a window that does not fit, as a whole.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2, 2, -5, -4, 0]> : tensor<5xi32>
// args: dense<[[-1], [4], [9], [-3]]> : tensor<4x1xi32>
// args: dense<[[1, 2, 3], [10, 20, 30], [100, 200, 300], [1000, 2000, 3000]]> : tensor<4x3xi32>
// expect: dense<[4, 5, -5, -4, 10]> : tensor<5xi32>
module {
  func.func @main(%arg0: tensor<5xi32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x3xi32>) -> tensor<5xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<5xi32>, tensor<4x1xi32>, tensor<4x3xi32>) -> tensor<5xi32>
    "func.return"(%0) : (tensor<5xi32>) -> ()
  }
}
