// The result lacks the second operand.
// expect: violation tuple_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) -> (tuple<tensor<2xf32>>) {
    %r0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<2xf32>, !stablehlo.token) -> (tuple<tensor<2xf32>>)
    "func.return"(%r0) : (tuple<tensor<2xf32>>) -> ()
  }
}
