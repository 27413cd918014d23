// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 20 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[161157, 169726, 157851, 216136, -207646, -209045, -214476, -207594, 208145, 205457, 200668, -157821]> : tensor<12xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[704877, -838754, 456456]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[704884, -838747, 456463]> : tensor<3xi32>
// permitted (init value before every element): dense<[704905, -838726, 456484]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-16019, 13214, -2296]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, 366466]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[-343699, 209822, 456456]> : tensor<3xi32>
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
