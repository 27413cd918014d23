// channel_id is not an integer.
// expect: violation recv_i2 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.recv"(%arg0) {channel_id = "a", channel_type = 1 : i64, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
