// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together), stable
// JAX's comparator makes zeros and NaNs equal before it asks for the total order: equals keep their places and
// their bits. An implementation that sorts the numbers alone loses which zero was where.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, 0x7FC00000, -0.0, 3.0, 0.0, -1.0, -0.0, 0x7FC00000]> : tensor<8xf32>
// args: dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
// expect: dense<[-1.0, 0.0, -0.0, 0.0, -0.0, 3.0, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
// expect: dense<[5, 0, 2, 4, 6, 3, 1, 7]> : tensor<8xi32>
module {
  func.func @main(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %0:2 = "stablehlo.sort"(%x, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %ea = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %za = stablehlo.select %ea, %zero, %a : tensor<i1>, tensor<f32>
      %na = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %ka = stablehlo.select %na, %nan, %za : tensor<i1>, tensor<f32>
      %eb = stablehlo.compare EQ, %b, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %zb = stablehlo.select %eb, %zero, %b : tensor<i1>, tensor<f32>
      %nb = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %kb = stablehlo.select %nb, %nan, %zb : tensor<i1>, tensor<f32>
      %p = stablehlo.compare LT, %ka, %kb, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    func.return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
  }
}
