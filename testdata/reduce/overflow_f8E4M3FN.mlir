// clause: f8E4M3FN has no infinity: what overflows is NaN
// The largest number is 448; a sum beyond it is not clamped there.
// derivation: by hand: 512 is beyond 448 by more than half of a step of 32.
// args: dense<[0x7E, 0x68]> : tensor<2xf8E4M3FN>
// args: dense<0x00> : tensor<f8E4M3FN>
// expect: dense<0x7F> : tensor<f8E4M3FN>
// wrong (saturated at the largest number): dense<0x7E> : tensor<f8E4M3FN>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf8E4M3FN>, %init: tensor<f8E4M3FN>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %b0: tensor<f8E4M3FN>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%r0) : (tensor<f8E4M3FN>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    "func.return"(%0) : (tensor<f8E4M3FN>) -> ()
  }) {function_type = (tensor<2xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>, sym_name = "main"} : () -> ()
}
