// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[339823594, 324478065, 455492861, 393102963, -439062575, -345639720, -363274472, -339836909, 413578374, 411111883, 428104788, -422330091]> : tensor<12xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[1512897490, -1487813669, 830464961]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[1512897497, -1487813662, 830464968]> : tensor<3xi32>
// permitted (init value before every element): dense<[1512897518, -1487813641, 830464989]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-1070, -15397, -7231]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, -524288]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[-197678, 115675, -7231]> : tensor<3xi32>
// wrong (summed in i24 saturate): dense<[8388607, -8388608, -8388608]> : tensor<3xi32>
// wrong (summed in i24 wrap): dense<[2948050, 5358555, 8381377]> : tensor<3xi32>
// wrong (summed in i31 saturate): dense<[1073741823, -1073741824, 651411732]> : tensor<3xi32>
// wrong (summed in i31 wrap): dense<[-634586158, 659669979, 830464961]> : tensor<3xi32>
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
