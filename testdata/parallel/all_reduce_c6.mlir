// The result has the operand's shape.
// expect: violation all_reduce_c6 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x8xf32>) {
    %r0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x8xf32>)
    "func.return"(%r0) : (tensor<2x8xf32>) -> ()
  }
}
