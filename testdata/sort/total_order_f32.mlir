// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)
// In total order -0 is before 0, and NaNs are beyond the infinities of their sign: none compares equal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0, 0.0, 0x7FC00000, -0.0, 0xFF800000, -2.5, 0x7F800000, 1.0e-40]> : tensor<8xf32>
// args: dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
// expect: dense<[0xFF800000, -2.5, -0.0, 0.0, 1.0e-40, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
// expect: dense<[4, 5, 3, 1, 7, 0, 6, 2]> : tensor<8xi32>
module {
  func.func @main(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
    %0:2 = "stablehlo.sort"(%x, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    func.return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
  }
}
