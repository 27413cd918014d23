// clause: integer multiplication wraps
// 16 * 16 is 0 in i8.
// derivation: by hand: 256 is 0.
// args: dense<[16, 16, 3]> : tensor<3xi8>
// args: dense<1> : tensor<i8>
// expect: dense<0> : tensor<i8>
// wrong (saturated): dense<127> : tensor<i8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
    "func.return"(%0) : (tensor<i8>) -> ()
  }) {function_type = (tensor<3xi8>, tensor<i8>) -> tensor<i8>, sym_name = "main"} : () -> ()
}
