// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-1, 1, 6, 8, -3, 7, 0]> : tensor<7xi8>
// args: dense<[-3, 7, 9, 2, 7, 0, 8]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[1, -5, 5, 11, 1, -5, 1]> : tensor<7xi16>
// permitted (balanced): dense<[1, -5, 5, -5, 1, -9, 1]> : tensor<7xi16>
// permitted (init value last): dense<[1, -13, 7, 17, 1, -21, 1]> : tensor<7xi16>
// permitted (init value twice): dense<[3, -9, 11, 23, 3, -8, 3]> : tensor<7xi16>
// permitted (init value before every element): dense<[1, -9, 11, 95, 1, -15, 1]> : tensor<7xi16>
// permitted (init value first and last): dense<[3, -9, 11, 23, 3, -9, 3]> : tensor<7xi16>
// wrong (rounded toward zero): dense<[1, -5, 5, 11, 1, -4, 1]> : tensor<7xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%t) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}
