// clause: promotion: a float of 8 bits in an f32 accumulator
// The result is of the accumulation type, which loses nothing.
// derivation: by hand: 3 * 17.
// args: dense<[0x58, 0x38, 0x58, 0x38, 0x58, 0x38]> : tensor<6xf8E4M3FN>
// args: dense<0x00> : tensor<f8E4M3FN>
// expect: dense<51.0> : tensor<f32>
// wrong (accumulated in the inputs' type): dense<48.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6xf8E4M3FN>, %init: tensor<f8E4M3FN>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f32>, sym_name = "main"} : () -> ()
}
