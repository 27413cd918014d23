// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<100> : tensor<i8>
// expect: dense<116> : tensor<i16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 0.5:-7>
!i16 = !quant.uniform<i16:f32, 0.5:9>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i8_b>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x!i8>, tensor<!i8_b>) -> tensor<!i16>
    "func.return"(%0) : (tensor<!i16>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i8_b>) -> tensor<!i16>, sym_name = "main"} : () -> ()
}
