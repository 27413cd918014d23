// clause: minimum: -0 < +0
// NumPy's minimum keeps whichever comes first.
// derivation: by hand: -0 is less.
// args: dense<[[-0.0, 0.0], [0.0, -0.0]]> : tensor<2x2xf32>
// args: dense<0x7F800000> : tensor<f32>
// expect: dense<[-0.0, -0.0]> : tensor<2xf32>
// wrong (the first of equals): dense<[-0.0, 0.0]> : tensor<2xf32>
// wrong (the last of equals): dense<[0.0, -0.0]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}
