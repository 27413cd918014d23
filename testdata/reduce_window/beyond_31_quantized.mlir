// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// Stored elements of 8 bits are large numbers in the body's finer scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[52, 50, 45, 47, -46, -43, -39, -39, 63, 61, 60, -52]> : tensor<12xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[1526726656, -1501560832, 1006632960]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap; summed in i20 wrap): dense<[0, 0, 0]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, -524288]> : tensor<3xi32>
// wrong (summed in i24 saturate): dense<[8388607, -8388608, -8388608]> : tensor<3xi32>
// wrong (summed in i24 wrap): dense<[0, -8388608, 0]> : tensor<3xi32>
// wrong (summed in i31 saturate): dense<[1073741823, -1073741824, 612368383]> : tensor<3xi32>
// wrong (summed in i31 wrap): dense<[-620756992, 645922816, 1006632960]> : tensor<3xi32>
module {
  func.func @main(%x: tensor<12x!quant.uniform<i8:f32, 4194304.0:3>>, %init: tensor<!quant.uniform<i8:f32, 4194304.0:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5>> {
    %0 = "stablehlo.reduce_window"(%x, %init) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5>>, %b: tensor<!quant.uniform<i32:f32, 0.5>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.5>>
    }) {window_dimensions = array<i64: 4>, window_strides = array<i64: 4>} : (tensor<12x!quant.uniform<i8:f32, 4194304.0:3>>, tensor<!quant.uniform<i8:f32, 4194304.0:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5>>
    return %0 : tensor<3x!quant.uniform<i32:f32, 0.5>>
  }
}
