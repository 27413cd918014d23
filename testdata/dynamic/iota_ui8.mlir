// clause: dynamic_iota: functionally identical to iota
// Along the first dimension; the shape is of another integer type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, 2]> : tensor<2xui16>
// expect: dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xui8>
module {
  func.func @main(%s: tensor<2xui16>) -> tensor<3x2xui8> {
    %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<2xui16>) -> tensor<3x2xui8>
    func.return %0 : tensor<3x2xui8>
  }
}
