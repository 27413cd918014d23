// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together), stable
// The comparator computes, calls with a value from outside, and leaves most elements equal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[7, 3, 12, 9, 4, 1, 6, 10, 2]> : tensor<9xi16>
// args: dense<3> : tensor<i16>
// expect: dense<[3, 12, 9, 6, 7, 4, 1, 10, 2]> : tensor<9xi16>
module {
  func.func @main(%x: tensor<9xi16>, %n: tensor<i16>) -> tensor<9xi16> {
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i16>, %b: tensor<i16>):
      %r = stablehlo.remainder %a, %n : tensor<i16>
      %s = stablehlo.remainder %b, %n : tensor<i16>
      %p = stablehlo.compare LT, %r, %s : (tensor<i16>, tensor<i16>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<9xi16>) -> (tensor<9xi16>)
    func.return %0 : tensor<9xi16>
  }
}
