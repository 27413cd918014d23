// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together), stable
// Two operands, ties in each column: an unstable sort, or one along the other dimension, orders them otherwise.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, 1, 2], [1, 1, 2], [3, 0, 2], [1, 1, 1]]> : tensor<4x3xi8>
// args: dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]> : tensor<4x3xi32>
// expect: dense<[[3, 1, 2], [3, 1, 2], [1, 1, 2], [1, 0, 1]]> : tensor<4x3xi8>
// expect: dense<[[0, 1, 2], [6, 4, 5], [3, 10, 8], [9, 7, 11]]> : tensor<4x3xi32>
module {
  func.func @main(%x: tensor<4x3xi8>, %y: tensor<4x3xi32>) -> (tensor<4x3xi8>, tensor<4x3xi32>) {
    %0:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
      %p = stablehlo.compare GT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<4x3xi8>, tensor<4x3xi32>) -> (tensor<4x3xi8>, tensor<4x3xi32>)
    func.return %0#0, %0#1 : tensor<4x3xi8>, tensor<4x3xi32>
  }
}
