// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// One block is the whole tensor. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-0.0, 0.0, 0.0, -64.5], [0.0, 1.0, -0.25, 0.24]]> : tensor<2x4xf32>
// expect: dense<[[3, 3, 3, -126], [3, 5, 2, 3]]> : tensor<2x4xi8>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[[3, 3, 3, -126], [3, 5, 3, 3]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[3, 3, 3, -62], [3, 4, 3, 3]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.5:3}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.5:3}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.5:3}}>>
  }
}
