// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[8, 4, -3, 6, 8, 7, 9]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[24, -12, 57, 51]> : tensor<4xi8>
// permitted (balanced): dense<[23, -17, 45, 45]> : tensor<4xi8>
// permitted (init value last): dense<[23, -7, 63, 67]> : tensor<4xi8>
// permitted (init value twice): dense<[45, -27, 108, 99]> : tensor<4xi8>
// permitted (init value before every element): dense<[127, -117, 127, 127]> : tensor<4xi8>
// permitted (init value first and last): dense<[45, -27, 111, 99]> : tensor<4xi8>
// wrong (rounded toward zero): dense<[24, -12, 54, 51]> : tensor<4xi8>
// wrong (padding left out, as XLA): dense<[13, -12, 57, 27]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%t) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
