// It gives nothing.
// expect: violation infeed_c1 (strict)
module {
  func.func public @main(%arg0: !stablehlo.token) {
    "stablehlo.infeed"(%arg0) {infeed_config = ""} : (!stablehlo.token) -> ()
    "func.return"() : () -> ()
  }
}
