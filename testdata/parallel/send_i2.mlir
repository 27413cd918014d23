// channel_id is not an integer.
// expect: violation send_i2 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (!stablehlo.token) {
    %r0 = "stablehlo.send"(%arg0, %arg1) {channel_id = "a", channel_type = 1 : i64, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> (!stablehlo.token)
    "func.return"(%r0) : (!stablehlo.token) -> ()
  }
}
