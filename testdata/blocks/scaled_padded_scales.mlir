// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A block size in the configuration: surplus scales are cut off.
// derivation: by hand: blocks of 2 have the scales 2 and 3, and 2 + 2 + 3 + 3 is 10; the third column and the second row are surplus.
// args: dense<[[1.0, 1.0, 1.0, 1.0]]> : tensor<1x4xf32>
// args: dense<[[1.0, 1.0, 1.0, 1.0]]> : tensor<1x4xf32>
// args: dense<[[2.0, 3.0, 1.0e+02], [1.0e+02, 1.0e+02, 1.0e+02]]> : tensor<2x3xf32>
// expect: dense<[[1.0e+01]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<2x3xf32>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2) {backend_config = "{\22block_scaled_dot_backend_config\22: {\22block_size\22: 2}}"} : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x3xf32>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}
