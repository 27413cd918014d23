// The operand is quantized per axis.
// expect: violation collective_broadcast_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
    %r0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>)
    "func.return"(%r0) : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> ()
  }
}
