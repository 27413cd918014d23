// It does not say from where to where.
// expect: violation recv_c6 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
