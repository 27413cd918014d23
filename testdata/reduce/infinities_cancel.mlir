// clause: add: inf - inf is NaN
// Both infinities meet in every order.
// derivation: by hand: inf + -inf.
// args: dense<[0x7F800000, 1.0, 0xFF800000]> : tensor<3xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<0xFFC00000> : tensor<f32>
// wrong (infinity): dense<0x7F800000> : tensor<f32>
// wrong (cancelled): dense<1.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<3xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}
