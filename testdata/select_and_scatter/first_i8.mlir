// clause: exec(schedule): the left operand comes first
// The body returns its first argument: every order gives the converted init value, or the first element
// where that comes before; none gives the last.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-107, -44, 25, 56, 11, -8, -103]> : tensor<7xi8>
// args: dense<[80, -18, -63, -57, 86, -113, -52]> : tensor<7xi8>
// args: dense<23> : tensor<i8>
// expect: dense<[40, 40, 40, 40, 40, 40, 40]> : tensor<7xi32>
// permitted (init value last): dense<[40, 154, -42, -132, -232, -110, 40]> : tensor<7xi32>
// wrong (operands of the body swapped): dense<[40, 154, -42, 166, -232, -110, 40]> : tensor<7xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      "stablehlo.return"(%a0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}
