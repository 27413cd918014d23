// clause: maximum: NaN propagates
// A format without infinities has a NaN.
// derivation: by hand: whatever meets a NaN is NaN.
// args: dense<[0x38, 0x7F, 0x40]> : tensor<3xf8E4M3FN>
// args: dense<0x00> : tensor<f8E4M3FN>
// expect: dense<0x7F> : tensor<f8E4M3FN>
// wrong (NaN ignored): dense<0x40> : tensor<f8E4M3FN>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xf8E4M3FN>, %init: tensor<f8E4M3FN>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %b0: tensor<f8E4M3FN>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%r0) : (tensor<f8E4M3FN>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    "func.return"(%0) : (tensor<f8E4M3FN>) -> ()
  }) {function_type = (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>, sym_name = "main"} : () -> ()
}
