// clause: maximum: NaN is propagated
// Every window with NaN gives NaN.
// derivation: by hand: two windows hold it.
// args: dense<[1.0, 2.0, 0x7FC00000, 3.0]> : tensor<4xf32>
// args: dense<0xFF800000> : tensor<f32>
// expect: dense<[2.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
// wrong (NaN dropped, as fmax): dense<[2.0, 2.0, 3.0]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}
