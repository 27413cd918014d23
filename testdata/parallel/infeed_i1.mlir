// The operand is not a token.
// expect: violation infeed_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, !stablehlo.token) {
    %r0, %r1 = "stablehlo.infeed"(%arg0) {infeed_config = ""} : (tensor<2xf32>) -> (tensor<2xf32>, !stablehlo.token)
    "func.return"(%r0, %r1) : (tensor<2xf32>, !stablehlo.token) -> ()
  }
}
