// (C6) body returns the types of its arguments.
// expect: violation reduce_c6 (strict)
// expect: violation reduce_c6 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i8_a = !quant.uniform<i8:f32, 2.500000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8_a>
      "stablehlo.return"(%r0) : (tensor<!i8_a>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8_a>
    "func.return"(%0) : (tensor<2x!i8_a>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8_a>, sym_name = "main"} : () -> ()
}
