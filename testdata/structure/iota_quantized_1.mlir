// clause: iota: the index along iota_dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// expect: dense<[[3, 6, 8, 10], [3, 6, 8, 10], [3, 6, 8, 10]]> : tensor<3x4xi8>
module {
  func.func @main() -> tensor<3x4x!quant.uniform<i8:f32, 4.000000e-01:3>> {
    %r0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x4x!quant.uniform<i8:f32, 4.000000e-01:3>>
    "func.return"(%r0) : (tensor<3x4x!quant.uniform<i8:f32, 4.000000e-01:3>>) -> ()
  }
}
