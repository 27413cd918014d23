// clause: sort: adjusted_dimension = rank(inputs[0]) + dimension if dimension < 0
// Of three dimensions the second one is sorted; there are no ties, so that the sort need not be stable.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5.0, -1.0], [2.0, 7.0], [-3.0, 0.5]], [[1.0, 4.0], [0.25, 9.0], [8.0, -2.0]]]> : tensor<2x3x2xf32>
// expect: dense<[[[-3.0, -1.0], [2.0, 0.5], [5.0, 7.0]], [[0.25, -2.0], [1.0, 4.0], [8.0, 9.0]]]> : tensor<2x3x2xf32>
module {
  func.func @main(%x: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = -2 : i64, is_stable = false} : (tensor<2x3x2xf32>) -> (tensor<2x3x2xf32>)
    func.return %0 : tensor<2x3x2xf32>
  }
}
