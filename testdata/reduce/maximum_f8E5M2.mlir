// clause: maximum: of numbers, not of their bits
// All are negative: their bits, as unsigned integers, are in the opposite order.
// derivation: by hand: -1 > -2 > -inf.
// args: dense<[0xC0, 0xBC]> : tensor<2xf8E5M2>
// args: dense<0xFC> : tensor<f8E5M2>
// expect: dense<0xBC> : tensor<f8E5M2>
// wrong (the largest bits, unsigned): dense<0xFC> : tensor<f8E5M2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf8E5M2>, %init: tensor<f8E5M2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f8E5M2>, %b0: tensor<f8E5M2>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
      "stablehlo.return"(%r0) : (tensor<f8E5M2>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "func.return"(%0) : (tensor<f8E5M2>) -> ()
  }) {function_type = (tensor<2xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>, sym_name = "main"} : () -> ()
}
