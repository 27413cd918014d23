// clause: to_destination_type(accumulator, result type) (erratum E14)
// The stored integer of the body's type means another number in the result's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[[1, 0, 6], [6, 1, 2]]> : tensor<2x3xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[13, 33]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 0.05:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8_b>
    "func.return"(%0) : (tensor<2x!i8_b>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8_b>, sym_name = "main"} : () -> ()
}
