// clause: scatter: updates in ascending order of their index
// Windows overlap, and the window's dimension comes first in updates: of those that land on an element, the one with the least place in its window comes first, whatever its start.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2, 3, 0, 8, 8, -6]> : tensor<6xi8>
// args: dense<[[1], [0], [2]]> : tensor<3x1xi32>
// args: dense<[[11, 12, 13], [21, 22, 23]]> : tensor<2x3xi8>
// expect: dense<[12, 22, 21, 23, 8, -6]> : tensor<6xi8>
module {
  func.func @main(%arg0: tensor<6xi8>, %arg1: tensor<3x1xi32>, %arg2: tensor<2x3xi8>) -> tensor<6xi8> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      "stablehlo.return"(%b0) : (tensor<i8>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<6xi8>, tensor<3x1xi32>, tensor<2x3xi8>) -> tensor<6xi8>
    "func.return"(%0) : (tensor<6xi8>) -> ()
  }
}
