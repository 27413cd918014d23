// An operand is not a token.
// expect: violation after_all_i1 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token, %arg1: tensor<2xf32>) -> (!stablehlo.token) {
    %r0 = "stablehlo.after_all"(%arg0, %arg1) : (!stablehlo.token, tensor<2xf32>) -> (!stablehlo.token)
    "func.return"(%r0) : (!stablehlo.token) -> ()
  }
}
