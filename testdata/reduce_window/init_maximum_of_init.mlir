// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<1001> : tensor<i16>
// expect: dense<[1000, 1000, 1000, 1000]> : tensor<4xi16>
!i8 = !quant.uniform<i8:bf16, 1.0>
!i16 = !quant.uniform<i16:bf16, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<3x!i8>, tensor<!i16>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i16>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
