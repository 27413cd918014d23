// clause: dynamic_iota: functionally identical to iota
// The numbers 0, 1, 2 and 3 quantized; the operand says how many.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[2, 4]> : tensor<2xi64>
// expect: dense<[[3, 5, 7, 9], [3, 5, 7, 9]]> : tensor<2x4xi8>
module {
  func.func @main(%s: tensor<2xi64>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01:3>>
    func.return %0 : tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01:3>>
  }
}
