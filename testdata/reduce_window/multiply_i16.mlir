// clause: multiply: quantized products are rounded after each step
// Each product of real numbers is rounded to the type; ties and the odd zero point show how.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 2, 2, 2, 8, 6, 5]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[1, -2, -8, 5]> : tensor<4xi16>
// wrong (zero point added after rounding, as ONNX): dense<[1, -1, -9, 5]> : tensor<4xi16>
// wrong (rounded toward zero): dense<[1, -1, -8, 5]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.25:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
