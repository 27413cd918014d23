// The result is not a token.
// expect: violation send_o1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (tensor<2xf32>) {
    %r0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
