// clause: exec(schedule): the left operand comes first
// The body returns its first argument: every order gives the converted init value, or the first element
// where that comes before; none gives the last.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-107, -44, 25, 56, 11, -8], [-103, 80, -18, -63, -57, 86]]> : tensor<2x6xi8>
// args: dense<23> : tensor<i8>
// expect: dense<[40, 40]> : tensor<2xi32>
// permitted (init value last): dense<[-220, -212]> : tensor<2xi32>
// wrong (operands of the body swapped): dense<[-22, 166]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      "stablehlo.return"(%a0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
