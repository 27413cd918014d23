// There are no parts.
// expect: violation all_to_all_c4 (strict)
module {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<4x2xf32>) {
    %r0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = -2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
    "func.return"(%r0) : (tensor<4x2xf32>) -> ()
  }
}
