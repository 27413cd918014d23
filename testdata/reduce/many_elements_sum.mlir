// clause: exec(schedule): every element is a leaf
// 131 = 128 + 3: a loop over vectors of 4 to 128 lanes leaves three elements over.
// derivation: by hand: 131 * 1.0 in steps of 0.25.
// args: dense<5> : tensor<131xi8>
// args: dense<3> : tensor<i8>
// expect: dense<524> : tensor<i32>
// wrong (the rest after full vectors left out): dense<512> : tensor<i32>
// wrong (the last element left out): dense<520> : tensor<i32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<658> : tensor<i32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<131x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<131x!i8>, tensor<!i8>) -> tensor<!i32>
    "func.return"(%0) : (tensor<!i32>) -> ()
  }) {function_type = (tensor<131x!i8>, tensor<!i8>) -> tensor<!i32>, sym_name = "main"} : () -> ()
}
