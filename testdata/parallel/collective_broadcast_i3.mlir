// channel_id is not an integer.
// expect: violation collective_broadcast_i3 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
    %r0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = "a"} : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%r0) : (tensor<2x4xf32>) -> ()
  }
}
