// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// Stored elements of 8 bits are large numbers in the body's finer scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[50, 52, 45, 46], [-45, -46, -41, -44], [63, 61, 60, -48]]> : tensor<3x4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[46336, -48128, 31744]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, 19711]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-19200, 17408, 31744]> : tensor<3xi32>
module {
  func.func @main(%x: tensor<3x4x!quant.uniform<i8:f32, 128.0:3>>, %init: tensor<!quant.uniform<i8:f32, 128.0:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5>> {
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5>>, %b: tensor<!quant.uniform<i32:f32, 0.5>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.5>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32, 128.0:3>>, tensor<!quant.uniform<i8:f32, 128.0:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5>>
    return %0 : tensor<3x!quant.uniform<i32:f32, 0.5>>
  }
}
