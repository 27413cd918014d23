// clause: to_destination_type(accumulator, result type) (erratum E14)
// The stored integer of the body's type means another number in the result's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[[0, 7, 6], [-2, -2, -2]]> : tensor<2x3xi8>
// args: dense<8> : tensor<i8>
// expect: dense<[118, 80]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:100>
!i32_b = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32_b>, %b0: tensor<!i32_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32_b>, tensor<!i32_b>) -> tensor<!i32_b>
      "stablehlo.return"(%r0) : (tensor<!i32_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
