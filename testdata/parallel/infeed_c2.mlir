// A token stands before the last result.
// expect: violation infeed_c2 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) -> (!stablehlo.token, !stablehlo.token) {
    %r0, %r1 = "stablehlo.infeed"(%arg0) {infeed_config = ""} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
    "func.return"(%r0, %r1) : (!stablehlo.token, !stablehlo.token) -> ()
  }
}
