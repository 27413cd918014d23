// clause: multiply: quantized products are rounded after each step
// Each product of real numbers is rounded to the type; ties and the odd zero point show how.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[5, 4, -3, 3, 1, 4], [8, 1, 6, -2, 6, 4]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[3, 16]> : tensor<2xi8>
// permitted (balanced): dense<[3, 14]> : tensor<2xi8>
// wrong (zero point added after rounding, as ONNX): dense<[3, 18]> : tensor<2xi8>
// wrong (rounded toward zero): dense<[3, 15]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
