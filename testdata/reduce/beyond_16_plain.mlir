// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[14743, 14304, 12272, 9901], [-10816, -10912, -13768, -13793], [12702, 12731, 12868, -14610]]> : tensor<3x4xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[51227, -49282, 23698]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[51234, -49275, 23705]> : tensor<3xi32>
// permitted (init value before every element): dense<[51255, -49254, 23726]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, 18157]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-14309, 16254, 23698]> : tensor<3xi32>
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
