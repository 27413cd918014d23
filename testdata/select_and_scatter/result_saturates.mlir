// clause: to_destination_type(accumulator, result type) (erratum E14)
// The stored integer of the body's type means another number in the result's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[1, 0, 6, 6, 1]> : tensor<5xi8>
// args: dense<[6, 8, -1, 0]> : tensor<4xi8>
// args: dense<-1> : tensor<i8>
// expect: dense<[-7, -37, -27, -67, -37]> : tensor<5xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 0.05:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i8>, %source: tensor<4x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i8>, tensor<4x!i8>, tensor<!i8>) -> tensor<5x!i8_b>
    "func.return"(%0) : (tensor<5x!i8_b>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<4x!i8>, tensor<!i8>) -> tensor<5x!i8_b>, sym_name = "main"} : () -> ()
}
