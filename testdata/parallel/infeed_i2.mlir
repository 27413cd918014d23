// infeed_config is not a string.
// expect: violation infeed_i2 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.infeed"(%arg0) {infeed_config = 1 : i64} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
