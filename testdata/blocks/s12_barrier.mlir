// expect: violation optimization_barrier_s12 (strict)
// expect: violation optimization_barrier_s12 (mlir)
// A barrier changes nothing.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>> {
  %r = "stablehlo.optimization_barrier"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
}
