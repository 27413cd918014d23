// (C2) element_type(inputs...) = element_type(init_values...), erratum E12.
// expect: violation reduce_c2 (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i8_a = !quant.uniform<i8:f32, 2.500000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8_a>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8_a>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8_a>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
