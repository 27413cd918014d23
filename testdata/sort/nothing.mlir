// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)
// Three slices without an element.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<> : tensor<3x0xf32>
// expect: dense<> : tensor<3x0xf32>
module {
  func.func @main(%x: tensor<3x0xf32>) -> tensor<3x0xf32> {
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (tensor<3x0xf32>) -> (tensor<3x0xf32>)
    func.return %0 : tensor<3x0xf32>
  }
}
