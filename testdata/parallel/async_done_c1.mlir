// The future is of two elements.
// expect: violation async_done_c1 (strict)
module {
  func.func public @main(%arg0: !stablehlo.future<tensor<2xf32>>) -> (tensor<3xf32>) {
    %r0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2xf32>>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
}
