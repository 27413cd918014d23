// One operand gives one result.
// expect: violation collective_broadcast_c5 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
    %r0, %r1 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    "func.return"(%r0, %r1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  }
}
