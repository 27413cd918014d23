// negate is not a collective and not a slice.
// expect: violation async_start_c2 (strict)
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (!stablehlo.future<tensor<4xf32>>) {
    %r0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a: tensor<4xf32>):
      %s = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>) -> (!stablehlo.future<tensor<4xf32>>)
    "func.return"(%r0) : (!stablehlo.future<tensor<4xf32>>) -> ()
  }
}
