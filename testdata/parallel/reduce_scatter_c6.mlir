// Flattened ids need a channel.
// expect: violation reduce_scatter_c6 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x2xf32>) {
    %r0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids} : (tensor<2x4xf32>) -> (tensor<2x2xf32>)
    "func.return"(%r0) : (tensor<2x2xf32>) -> ()
  }
}
