// A pair has three members.
// expect: violation collective_permute_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
    %r0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%r0) : (tensor<2x4xf32>) -> ()
  }
}
