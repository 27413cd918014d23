// The last result is not a token.
// expect: violation infeed_c3 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (tensor<2xf32>) {
    %r0 = "stablehlo.infeed"(%arg0) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
