// channel_id is not an integer.
// expect: violation all_reduce_i3 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
    %r0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = "a"} : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%r0) : (tensor<2x4xf32>) -> ()
  }
}
