// There is no body.
// expect: violation async_start_i2 (strict)
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (!stablehlo.future<tensor<2xf32>>) {
    %r0 = "stablehlo.async_start"(%arg0) : (tensor<4xf32>) -> (!stablehlo.future<tensor<2xf32>>)
    "func.return"(%r0) : (!stablehlo.future<tensor<2xf32>>) -> ()
  }
}
