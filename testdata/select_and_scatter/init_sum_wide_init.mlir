// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<[5, 7]> : tensor<2xi8>
// args: dense<8388609> : tensor<i32>
// expect: dense<[8388609, 8388621, 8388609]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i32>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<2x!i8>, tensor<!i32>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}
