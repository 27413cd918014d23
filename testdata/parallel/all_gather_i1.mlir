// The operand is quantized per axis.
// expect: violation all_gather_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> (tensor<2x8x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
    %r0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> (tensor<2x8x!quant.uniform<i8:f32:0, {0.5,0.25}>>)
    "func.return"(%r0) : (tensor<2x8x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> ()
  }
}
