// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 20 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[224779, 189777, 182012, 234574], [-217901, -169244, -198592, -185319], [202885, 203344, 204490, -206388]]> : tensor<3x4xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[831149, -771049, 404338]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[831156, -771042, 404345]> : tensor<3xi32>
// permitted (init value before every element): dense<[831177, -771021, 404366]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-20819, 15383, 11122]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, 317899]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[-217427, 277527, 404338]> : tensor<3xi32>
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
