// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[3, 8, 0, 9, -2, 9], [-1, 8, 9, 3, 7, -3]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[95, 167]> : tensor<2xi16>
// permitted (balanced): dense<[-1, -23]> : tensor<2xi16>
// permitted (init value last): dense<[-1, 671]> : tensor<2xi16>
// permitted (init value twice): dense<[167, 335]> : tensor<2xi16>
// permitted (init value before every element): dense<[5375, 10751]> : tensor<2xi16>
// permitted (init value first and last): dense<[191, 335]> : tensor<2xi16>
// wrong (rounded toward zero): dense<[71, 167]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%t) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
