// expect: violation reshape_s10 (strict)
// expect: violation reshape_s10 (mlir)
// Element 2 of a row keeps its block's scale.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<8x!quant.uniform<i8:f32:{0:4}, {0.5, 0.25}>> {
  %r = "stablehlo.reshape"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<8x!quant.uniform<i8:f32:{0:4}, {0.5, 0.25}>>
  func.return %r : tensor<8x!quant.uniform<i8:f32:{0:4}, {0.5, 0.25}>>
}
