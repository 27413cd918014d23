// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[1296, 1504], [1072, 1696], [1776, 1248]], [[-1616, -1152], [-1696, -1328], [-1312, -1072]], [[1552, 1664], [1360, 1664], [-1552, -1664]]]> : tensor<3x3x2xi16>
// args: dense<[[[1520], [1168]], [[1488], [1744]], [[1440], [1696]]]> : tensor<3x2x1xi16>
// expect: dense<[[[12953600]], [[-12348928]], [[4171264]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[32767]], [[-32768]], [[-32768]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[-22528]], [[-28160]], [[-23040]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 saturate): dense<[[[524287]], [[-524288]], [[-524288]]]> : tensor<3x1x1xi32>
// wrong (summed in i20 wrap): dense<[[[370688]], [[233984]], [[-23040]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 saturate): dense<[[[8388607]], [[-8388608]], [[3331583]]]> : tensor<3x1x1xi32>
// wrong (summed in i24 wrap): dense<[[[-3823616]], [[4428288]], [[4171264]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2xi16>, %w: tensor<3x2x1xi16>) -> tensor<3x1x1xi32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2xi16>, tensor<3x2x1xi16>) -> tensor<3x1x1xi32>
    return %0 : tensor<3x1x1xi32>
  }
}
