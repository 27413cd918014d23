// clause: scatter: N inputs are updated together
// The greater first operand decides which second operand stays.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[3, 9, -1]> : tensor<3xi32>
// args: dense<[10, 20, 30]> : tensor<3xi8>
// args: dense<[[0], [0], [2], [1]]> : tensor<4x1xi32>
// args: dense<[5, 4, -3, 9]> : tensor<4xi32>
// args: dense<[1, 2, 3, 4]> : tensor<4xi8>
// expect: dense<[5, 9, -1]> : tensor<3xi32>
// expect: dense<[1, 20, 30]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3xi32>, %arg1: tensor<3xi8>, %arg2: tensor<4x1xi32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi8>) -> (tensor<3xi32>, tensor<3xi8>) {
    %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i8>, %b0: tensor<i32>, %b1: tensor<i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %r0 = "stablehlo.select"(%p, %a0, %b0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %r1 = "stablehlo.select"(%p, %a1, %b1) : (tensor<i1>, tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0, %r1) : (tensor<i32>, tensor<i8>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<3xi32>, tensor<3xi8>, tensor<4x1xi32>, tensor<4xi32>, tensor<4xi8>) -> (tensor<3xi32>, tensor<3xi8>)
    "func.return"(%0#0, %0#1) : (tensor<3xi32>, tensor<3xi8>) -> ()
  }
}
