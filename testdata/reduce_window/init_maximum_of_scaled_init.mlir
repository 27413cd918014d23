// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<3333> : tensor<i16>
// expect: dense<[10000, 10000, 10000, 10000]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f16, 0.5>
!i16 = !quant.uniform<i16:f16, 0.3>
!i16_b = !quant.uniform<i16:f16, 0.1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16_b>, %b0: tensor<!i16_b>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16_b>, tensor<!i16_b>) -> tensor<!i16_b>
      "stablehlo.return"(%r0) : (tensor<!i16_b>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<3x!i8>, tensor<!i16>) -> tensor<4x!i16_b>
    "func.return"(%0) : (tensor<4x!i16_b>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i16>) -> tensor<4x!i16_b>, sym_name = "main"} : () -> ()
}
