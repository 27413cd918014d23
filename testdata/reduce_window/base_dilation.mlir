// clause: reduce_window: holes of base dilation are init values
// Init is 10, so holes count.
// derivation: by hand: 10+1+10, 10+10+2, 10+2+10, 10+10+3.
// args: dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
// args: dense<1.0e+01> : tensor<f32>
// expect: dense<[21.0, 22.0, 22.0, 23.0]> : tensor<4xf32>
// permitted (init value twice; init value first and last): dense<[31.0, 32.0, 32.0, 33.0]> : tensor<4xf32>
// permitted (init value before every element): dense<[41.0, 42.0, 42.0, 43.0]> : tensor<4xf32>
// wrong (zeros, and no init value): dense<[1.0, 2.0, 2.0, 3.0]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>} : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}
