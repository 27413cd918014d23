// clause: the body may capture values
// A ceiling from outside of the body.
// derivation: by hand: 10 + 10 is cut to 15.0, stored 33; 10 + 0.
// args: dense<[23, 23, 3]> : tensor<3xi8>
// args: dense<3> : tensor<i8>
// args: dense<33> : tensor<i8>
// expect: dense<[33, 23]> : tensor<2xi8>
// wrong (captured value ignored): dense<[43, 23]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i8>, %c0: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %s = "stablehlo.minimum"(%r, %c0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%s) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
