// The result has the operand's type.
// expect: violation collective_permute_c5 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x8xf32>) {
    %r0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x8xf32>)
    "func.return"(%r0) : (tensor<2x8xf32>) -> ()
  }
}
