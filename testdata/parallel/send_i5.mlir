// source_target_pairs is not a table of integers.
// expect: violation send_i5 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (!stablehlo.token) {
    %r0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = array<i64: 0, 1>} : (tensor<2xf32>, !stablehlo.token) -> (!stablehlo.token)
    "func.return"(%r0) : (!stablehlo.token) -> ()
  }
}
