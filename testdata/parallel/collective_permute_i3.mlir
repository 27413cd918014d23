// channel_id is not an integer.
// expect: violation collective_permute_i3 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
    %r0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = "a"} : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%r0) : (tensor<2x4xf32>) -> ()
  }
}
