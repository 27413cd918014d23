// source_target_pairs is not a table of integers.
// expect: violation recv_i5 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = array<i64: 0, 1>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
