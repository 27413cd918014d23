// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[3099187, 3666356, 2528612, 2887944], [-2640918, -3389393, -3102652, -3280287], [3195952, 3270711, 3231049, -3350093]]> : tensor<3x4xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[12182106, -12413243, 6347626]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[12182113, -12413236, 6347633]> : tensor<3xi32>
// permitted (init value before every element): dense<[12182134, -12413215, 6347654]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-7590, -26939, -9366]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, -524288]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[-400806, 169669, 56170]> : tensor<3xi32>
// wrong (summed in i24 saturate): dense<[8388607, -8388608, 5038514]> : tensor<3xi32>
// wrong (summed in i24 wrap): dense<[-4595110, 4363973, 6347626]> : tensor<3xi32>
module {
  func.func @main(%x: tensor<3x4xi32>, %init: tensor<i32>) -> tensor<3xi32> {
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}
