// There is no computation.
// expect: violation all_reduce_i5 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
    %r0 = "stablehlo.all_reduce"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%r0) : (tensor<2x4xf32>) -> ()
  }
}
