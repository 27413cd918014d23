// (C5) 0 < size(inputs) = size(updates) = N
// expect: violation scatter_c5 (strict)
// expect: violation scatter_c5 (mlir)
module {
  func.func @main(%arg0: tensor<4x2x1xi32>) -> () {
    "stablehlo.scatter"(%arg0) ({
    ^bb0():
      "stablehlo.return"() : () -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false} : (tensor<4x2x1xi32>) -> ()
    "func.return"() : () -> ()
  }
}
