// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[13855, 14376, 10478, 14029, -13617, -11531, -14452, -13149, 13007, 12722, 12834, -13141]> : tensor<12xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[52745, -52742, 25429]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[52752, -52735, 25436]> : tensor<3xi32>
// permitted (init value before every element): dense<[52773, -52714, 25457]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, 19626]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-12791, 12794, 25429]> : tensor<3xi32>
module {
  func.func @main(%x: tensor<12xi32>, %init: tensor<i32>) -> tensor<3xi32> {
    %0 = "stablehlo.reduce_window"(%x, %init) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {window_dimensions = array<i64: 4>, window_strides = array<i64: 4>} : (tensor<12xi32>, tensor<i32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}
