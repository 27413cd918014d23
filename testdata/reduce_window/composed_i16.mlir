// clause: the body may be any function; each of its ops rounds
// a * b + a is rounded twice, never once.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[3, 8, 0, 9, -2, 9, -1]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[13, -17, -49, -17]> : tensor<4xi16>
// permitted (balanced): dense<[3, -36, -73, -25]> : tensor<4xi16>
// permitted (init value last): dense<[13, -17, -73, -25]> : tensor<4xi16>
// permitted (init value twice): dense<[27, -29, -97, -33]> : tensor<4xi16>
// permitted (init value before every element): dense<[111, -113, -385, -129]> : tensor<4xi16>
// permitted (init value first and last): dense<[27, -33, -97, -33]> : tensor<4xi16>
// wrong (rounded toward zero): dense<[13, -13, -49, -17]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      %t = "stablehlo.add"(%s, %a0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%t) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
