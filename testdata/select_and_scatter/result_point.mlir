// clause: to_destination_type(accumulator, result type) (erratum E14)
// The stored integer of the body's type means another number in the result's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[0, 7, 6, -2, -2]> : tensor<5xi8>
// args: dense<[8, 2, 7, 7]> : tensor<4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[100, 108, 108, 108, 100]> : tensor<5xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:100>
!i32_b = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i8>, %source: tensor<4x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32_b>, %b0: tensor<!i32_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32_b>, tensor<!i32_b>) -> tensor<!i32_b>
      "stablehlo.return"(%r0) : (tensor<!i32_b>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i8>, tensor<4x!i8>, tensor<!i8>) -> tensor<5x!i32>
    "func.return"(%0) : (tensor<5x!i32>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<4x!i8>, tensor<!i8>) -> tensor<5x!i32>, sym_name = "main"} : () -> ()
}
