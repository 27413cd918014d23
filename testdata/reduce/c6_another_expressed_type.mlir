// (C6) is_promotable compares expressed types.
// expect: violation reduce_c6 (strict)
// expect: violation reduce_c6 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f64, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
