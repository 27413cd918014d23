// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together), stable
// Even numbers first, both kinds descending: the comparator has a branch, so that it runs element by element.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[7, 3, 12], [9, 4, 2]]> : tensor<2x3xi32>
// expect: dense<[[12, 7, 3], [4, 2, 9]]> : tensor<2x3xi32>
module {
  func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %r = stablehlo.remainder %a, %two : tensor<i32>
      %s = stablehlo.remainder %b, %two : tensor<i32>
      %e = stablehlo.compare EQ, %r, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %o = "stablehlo.if"(%e) ({
        %g = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %g : tensor<i1>
      }, {
        %l = stablehlo.compare LT, %r, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %l : tensor<i1>
      }) : (tensor<i1>) -> tensor<i1>
      stablehlo.return %o : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xi32>) -> (tensor<2x3xi32>)
    func.return %0 : tensor<2x3xi32>
  }
}
