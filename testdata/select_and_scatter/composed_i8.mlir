// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-3, 0, 5, -3, 7, -3, 7]> : tensor<7xi8>
// args: dense<[0, 5, 1, 7, -2, 2, 7]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[5, 2, 3, 5, -1, 5, 9]> : tensor<7xi8>
// permitted (balanced): dense<[5, 2, 3, 5, 3, 5, 9]> : tensor<7xi8>
// permitted (init value last): dense<[5, -3, 3, 5, -3, 5, 11]> : tensor<7xi8>
// permitted (init value twice): dense<[7, 1, 3, 7, -6, 7, 15]> : tensor<7xi8>
// permitted (init value before every element): dense<[5, 1, 3, 5, -33, 5, 15]> : tensor<7xi8>
// permitted (init value first and last): dense<[7, 1, 3, 7, -5, 7, 15]> : tensor<7xi8>
// wrong (rounded toward zero): dense<[5, 2, 3, 5, -2, 5, 9]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%t) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}
