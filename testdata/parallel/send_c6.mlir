// It does not say from where to where.
// expect: violation send_c6 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (!stablehlo.token) {
    %r0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false} : (tensor<2xf32>, !stablehlo.token) -> (!stablehlo.token)
    "func.return"(%r0) : (!stablehlo.token) -> ()
  }
}
