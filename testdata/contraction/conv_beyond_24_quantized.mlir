// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// The result has the scale of the products, so that it is the sum itself.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[1760, 1584], [1440, 1344], [1248, 1376]], [[-1024, -1056], [-1456, -1712], [-1312, -1440]], [[1456, 1776], [1088, 1024], [1072, -1456]]]> : tensor<3x3x2xi16>
// args: dense<[[[1472], [1360]], [[1328], [1248]], [[1792], [1184]]]> : tensor<3x2x1xi16>
// expect: dense<[[[12200192]], [[-11069696]], [[7478528]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[32767]], [[-32768]], [[-32768]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[10496]], [[5888]], [[7424]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 saturate): dense<[[[524287]], [[-524288]], [[-524288]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 wrap): dense<[[[-382720]], [[464640]], [[138496]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 saturate): dense<[[[8388607]], [[-8388608]], [[6664703]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 wrap): dense<[[[-4577024]], [[5707520]], [[7478528]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2x!quant.uniform<i16:f32, 0.0625>>, %w: tensor<3x2x1x!quant.uniform<i16:f32, 0.0625>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.00390625>> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2x!quant.uniform<i16:f32, 0.0625>>, tensor<3x2x1x!quant.uniform<i16:f32, 0.0625>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.00390625>>
    return %0 : tensor<3x1x1x!quant.uniform<i32:f32, 0.00390625>>
  }
}
