// clause: iota: the index along iota_dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// expect: dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui4>
module {
  func.func @main() -> tensor<3x4xui4> {
    %r0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3x4xui4>
    "func.return"(%r0) : (tensor<3x4xui4>) -> ()
  }
}
