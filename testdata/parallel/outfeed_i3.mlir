// outfeed_config is not a string.
// expect: violation outfeed_i3 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (!stablehlo.token) {
    %r0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = 1 : i64} : (tensor<2xf32>, !stablehlo.token) -> (!stablehlo.token)
    "func.return"(%r0) : (!stablehlo.token) -> ()
  }
}
