// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[19840, 14976], [12800, 18304], [13696, 12416]], [[-19840, -13952], [-19200, -17024], [-17664, -15872]], [[19200, 16000], [15616, 19584], [17280, -19200]]]> : tensor<3x3x2xi16>
// args: dense<[[[13952], [13696]], [[14592], [14720]], [[14336], [17664]]]> : tensor<3x2x1xi16>
// expect: dense<[[[1353793536]], [[-1532248064]], [[911736832]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[32767]], [[-32768]], [[-32768]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[16384]], [[-16384]], [[0]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 saturate): dense<[[[524287]], [[-524288]], [[-524288]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 wrap): dense<[[[81920]], [[-278528]], [[-524288]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 saturate): dense<[[[8388607]], [[-8388608]], [[-8388608]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 wrap): dense<[[[-5160960]], [[-5521408]], [[5767168]]]> : tensor<3x1x1xi32>
// wrong (summed in i31 saturate): dense<[[[1073741823]], [[-1073741824]], [[734593023]]]> : tensor<3x1x1xi32>
// wrong (summed in i31 wrap): dense<[[[-793690112]], [[615235584]], [[911736832]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2xi16>, %w: tensor<3x2x1xi16>) -> tensor<3x1x1xi32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2xi16>, tensor<3x2x1xi16>) -> tensor<3x1x1xi32>
    return %0 : tensor<3x1x1xi32>
  }
}
