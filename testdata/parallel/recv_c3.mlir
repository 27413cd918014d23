// One target has two sources.
// expect: violation recv_c3 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
