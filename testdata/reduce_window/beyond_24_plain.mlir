// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[3264078, 3644155, 3135958, 3352628, -2873465, -2738991, -3469319, -3592545, 3346309, 3217050, 3288572, -3708709]> : tensor<12xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[13396826, -12674313, 6143229]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[13396833, -12674306, 6143236]> : tensor<3xi32>
// permitted (init value before every element): dense<[13396854, -12674285, 6143257]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[27482, -25865, -17155]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, -524288]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[-234662, -91401, -148227]> : tensor<3xi32>
// wrong (summed in i24 saturate): dense<[8388607, -8388608, 4679898]> : tensor<3xi32>
// wrong (summed in i24 wrap): dense<[-3380390, 4102903, 6143229]> : tensor<3xi32>
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
