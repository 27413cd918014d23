// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// The result has the scale of the products, so that it is the sum itself.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[103, 111], [81, 106], [88, 107]], [[-72, -88], [-75, -123], [-120, -70]], [[103, 93], [85, 101], [-103, -93]]]> : tensor<3x3x2xi8>
// args: dense<[[[96], [120]], [[75], [92]], [[101], [97]]]> : tensor<3x2x1xi8>
// expect: dense<[[[58302]], [[-53323]], [[17291]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[32767]], [[-32768]], [[13343]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[-7234]], [[12213]], [[17291]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x2x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.125>> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x1x!quant.uniform<i32:f32, 0.125>>
    return %0 : tensor<3x1x1x!quant.uniform<i32:f32, 0.125>>
  }
}
