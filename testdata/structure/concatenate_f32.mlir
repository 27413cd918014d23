// clause: concatenate: inputs in their order along dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.5], [5.0]]> : tensor<2x1xf32>
// args: dense<[[6.0, 2.5, -5.75], [-3.0, 1.0, 0.25]]> : tensor<2x3xf32>
// args: dense<> : tensor<2x0xf32>
// args: dense<[[1.5, -2.75], [-2.75, -2.5]]> : tensor<2x2xf32>
// expect: dense<[[2.5, 6.0, 2.5, -5.75, 1.5, -2.75], [5.0, -3.0, 1.0, 0.25, -2.75, -2.5]]> : tensor<2x6xf32>
module {
  func.func @main(%arg0: tensor<2x1xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x0xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x6xf32> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2, %arg3) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
    "func.return"(%r0) : (tensor<2x6xf32>) -> ()
  }
}
