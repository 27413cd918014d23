// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[4, 6, 0, 9, 9, 6], [5, 5, -2, 6, 6, 5]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-128, -128]> : tensor<2xi8>
// permitted (balanced): dense<[3, -15]> : tensor<2xi8>
// permitted (init value last): dense<[-77, -128]> : tensor<2xi8>
// wrong (rounded toward zero): dense<[-117, -128]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%t) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
