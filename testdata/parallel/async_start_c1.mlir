// The body has two operations.
// expect: violation async_start_c1 (strict)
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (!stablehlo.future<tensor<2xf32>>) {
    %r0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a: tensor<4xf32>):
      %s = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
      %t = "stablehlo.add"(%s, %s) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%t) : (tensor<2xf32>) -> ()
    }) : (tensor<4xf32>) -> (!stablehlo.future<tensor<2xf32>>)
    "func.return"(%r0) : (!stablehlo.future<tensor<2xf32>>) -> ()
  }
}
