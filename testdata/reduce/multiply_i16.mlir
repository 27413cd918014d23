// clause: multiply: quantized products are rounded after each step
// Each product of real numbers is rounded to the type; ties and the odd zero point show how.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[6, 0, -2, 1, 6, 6], [8, 5, 2, -3, 1, 4]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-54, -8]> : tensor<2xi16>
// permitted (balanced): dense<[-53, -8]> : tensor<2xi16>
// wrong (zero point added after rounding, as ONNX): dense<[-51, -9]> : tensor<2xi16>
// wrong (rounded toward zero): dense<[-50, -8]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.25:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
