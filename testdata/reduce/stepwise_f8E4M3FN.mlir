// clause: every float operation rounds once, in its own type
// Four significant bits hold no 17: each sum of 16 and 1 is 16 again, in any order.
// derivation: by hand: 16 + 16 + 16; 51 would round to 52.
// args: dense<[0x58, 0x38, 0x58, 0x38, 0x58, 0x38]> : tensor<6xf8E4M3FN>
// args: dense<0x00> : tensor<f8E4M3FN>
// expect: dense<0x64> : tensor<f8E4M3FN>
// wrong (accumulated in f32 and rounded once): dense<0x65> : tensor<f8E4M3FN>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6xf8E4M3FN>, %init: tensor<f8E4M3FN>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %b0: tensor<f8E4M3FN>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%r0) : (tensor<f8E4M3FN>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    "func.return"(%0) : (tensor<f8E4M3FN>) -> ()
  }) {function_type = (tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>, sym_name = "main"} : () -> ()
}
