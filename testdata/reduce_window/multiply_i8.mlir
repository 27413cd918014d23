// clause: multiply: quantized products are rounded after each step
// Each product of real numbers is rounded to the type; ties and the odd zero point show how.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[8, 6, 7, -2, -2, 7, -2]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[10, -12, 29, -7]> : tensor<4xi8>
// permitted (balanced): dense<[10, -12, 28, -7]> : tensor<4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[11, -12, 27, -7]> : tensor<4xi8>
// wrong (rounded toward zero): dense<[10, -12, 27, -7]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
