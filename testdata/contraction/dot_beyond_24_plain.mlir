// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1296, 1504, 1072, 1696, 1776, 1248], [-1616, -1152, -1696, -1328, -1312, -1072], [1552, 1664, 1360, 1664, -1552, -1664]]> : tensor<3x6xi16>
// args: dense<[[1520], [1168], [1488], [1744], [1440], [1696]]> : tensor<6x1xi16>
// expect: dense<[[12953600], [-12348928], [4171264]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [-32768]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[-22528], [-28160], [-23040]]> : tensor<3x1xi32>
// wrong (summed in i20 saturate): dense<[[524287], [-524288], [-524288]]> : tensor<3x1xi32>
// wrong (summed in i20 wrap): dense<[[370688], [233984], [-23040]]> : tensor<3x1xi32>
// wrong (summed in i24 saturate): dense<[[8388607], [-8388608], [3331583]]> : tensor<3x1xi32>
// wrong (summed in i24 wrap): dense<[[-3823616], [4428288], [4171264]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x6xi16>, %w: tensor<6x1xi16>) -> tensor<3x1xi32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6xi16>, tensor<6x1xi16>) -> tensor<3x1xi32>
    return %0 : tensor<3x1xi32>
  }
}
