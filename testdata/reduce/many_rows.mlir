// clause: reduce: the first dimension, of more rows than a vector has lanes
// 67 rows of 3 elements: rows and columns are easily confused.
// derivation: by hand: 67 times each.
// args: dense<"0x010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203010203"> : tensor<67x3xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[67, 134, 201]> : tensor<3xi32>
// wrong (the rest after full vectors left out): dense<[64, 128, 192]> : tensor<3xi32>
// wrong (the other dimension): dense<[6, 6, 6]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 1.0>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<67x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<67x3x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<67x3x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}
