// clause: reduce: fold over [init] + elements in the body's type
// The sum of six numbers in an i32 accumulator of another scale.
// derivation: by hand: 0.5 * (-2 - 1 + 0 + 1 + 2 + 97) = 48.5 and 48.5 / 0.25 = 194.
// args: dense<[1, 2, 3, 4, 5, 100]> : tensor<6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<194> : tensor<i32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<118> : tensor<i32>
// wrong (converted without zero points): dense<236> : tensor<i32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<6x!i8>, tensor<!i8>) -> tensor<!i32>
    "func.return"(%0) : (tensor<!i32>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<!i8>) -> tensor<!i32>, sym_name = "main"} : () -> ()
}
