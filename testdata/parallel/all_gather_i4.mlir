// channel_id is not an integer.
// expect: violation all_gather_i4 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x8xf32>) {
    %r0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = "a"} : (tensor<2x4xf32>) -> (tensor<2x8xf32>)
    "func.return"(%r0) : (tensor<2x8xf32>) -> ()
  }
}
