// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// The result has 256 times the scale of the products, so that f32 rounds no clamped sum visibly.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[13952, 17920], [16000, 18176], [15488, 13056]], [[-18176, -12288], [-14464, -14464], [-18432, -12288]], [[19584, 15232], [13824, 16384], [18944, -19584]]]> : tensor<3x3x2xi16>
// args: dense<[[[14208], [12800]], [[18432], [16384]], [[12416], [14592]]]> : tensor<3x2x1xi16>
// expect: dense<[[[5480960]], [[-5184640]], [[3694912]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[128]], [[-128]], [[-128]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[0]], [[-128]], [[64]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 saturate): dense<[[[2048]], [[-2048]], [[-2048]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 wrap): dense<[[[512]], [[896]], [[320]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 saturate): dense<[[[32768]], [[-32768]], [[-32768]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 wrap): dense<[[[-24064]], [[-7296]], [[24896]]]> : tensor<3x1x1xi32>
// wrong (summed in i31 saturate): dense<[[[4194304]], [[-4194304]], [[3078016]]]> : tensor<3x1x1xi32>
// wrong (summed in i31 wrap): dense<[[[-2907648]], [[3203968]], [[3694912]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2x!quant.uniform<i16:f32, 0.0078125>>, %w: tensor<3x2x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.015625>> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2x!quant.uniform<i16:f32, 0.0078125>>, tensor<3x2x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.015625>>
    return %0 : tensor<3x1x1x!quant.uniform<i32:f32, 0.015625>>
  }
}
