// clause: to_destination_type(accumulator, result type) (erratum E14)
// The stored integer of the body's type means another number in the result's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[4, 1, 3, 3, 1]> : tensor<5xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-6, -7, -5, -7]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.7:-3>
!i32_b = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32_b>, %b0: tensor<!i32_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32_b>, tensor<!i32_b>) -> tensor<!i32_b>
      "stablehlo.return"(%r0) : (tensor<!i32_b>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
