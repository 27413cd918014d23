// clause: add: -0 + -0 = -0
// An accumulator that starts from +0 loses the sign.
// derivation: by hand: -0 throughout.
// args: dense<[-0.0, -0.0]> : tensor<2xf32>
// args: dense<-0.0> : tensor<f32>
// expect: dense<-0.0> : tensor<f32>
// wrong (an accumulator that starts at +0): dense<0.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}
