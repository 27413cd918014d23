// The result has the computation's type.
// expect: violation reduce_scatter_c9 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x2xf64>) {
    %r0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x2xf64>)
    "func.return"(%r0) : (tensor<2x2xf64>) -> ()
  }
}
