// clause: exec(schedule): the left operand comes first
// The body returns its first argument: every order gives the converted init value, or the first element
// where that comes before; none gives the last.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-107, -44, 25, 56, 11, -8, -103]> : tensor<7xi8>
// args: dense<23> : tensor<i8>
// expect: dense<[40, 40, 40, 40]> : tensor<4xi32>
// permitted (init value last): dense<[40, -94, 106, -22]> : tensor<4xi32>
// wrong (operands of the body swapped): dense<[-94, 106, -22, 40]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      "stablehlo.return"(%a0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
