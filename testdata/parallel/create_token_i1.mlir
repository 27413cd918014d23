// The result is not a token.
// expect: violation create_token_i1 (strict)
module {
  func.func public @main() -> (tensor<2xf32>) {
    %r0 = "stablehlo.create_token"() : () -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
