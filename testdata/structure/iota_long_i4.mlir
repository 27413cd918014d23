// clause: iota: indices are converted: integers wrap, floats round
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// expect: dense<[0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3]> : tensor<20xi4>
module {
  func.func @main() -> tensor<20xi4> {
    %r0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<20xi4>
    "func.return"(%r0) : (tensor<20xi4>) -> ()
  }
}
