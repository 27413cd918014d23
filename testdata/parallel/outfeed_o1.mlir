// The result is not a token.
// expect: violation outfeed_o1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (tensor<2xf32>) {
    %r0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = ""} : (tensor<2xf32>, !stablehlo.token) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
