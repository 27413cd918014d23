// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 24 bits holds the first two sums; the third leaves its range and comes back.
// Results of 8 bits: a clamped sum shows in them, though they are far from their own bounds.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1760, 1584, 1440, 1344, 1248, 1376], [-1024, -1056, -1456, -1712, -1312, -1440], [1456, 1776, 1088, 1024, 1072, -1456]]> : tensor<3x6xi16>
// args: dense<[[1472], [1360], [1328], [1248], [1792], [1184]]> : tensor<6x1xi16>
// expect: dense<[[91], [-86], [55]]> : tensor<3x1xi8>
// wrong (summed in i16 saturate; summed in i16 wrap): dense<[[-2], [-2], [-2]]> : tensor<3x1xi8>
// wrong (summed in i20 saturate): dense<[[2], [-6], [-6]]> : tensor<3x1xi8>
// wrong (summed in i20 wrap): dense<[[-5], [2], [-1]]> : tensor<3x1xi8>
// wrong (summed in i24 saturate): dense<[[62], [-66], [49]]> : tensor<3x1xi8>
// wrong (summed in i24 wrap): dense<[[-37], [42], [55]]> : tensor<3x1xi8>
module {
  func.func @main(%x: tensor<3x6x!quant.uniform<i16:f32, 0.0625>>, %w: tensor<6x1x!quant.uniform<i16:f32, 0.0625>>) -> tensor<3x1x!quant.uniform<i8:f32, 512.0:-2>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6x!quant.uniform<i16:f32, 0.0625>>, tensor<6x1x!quant.uniform<i16:f32, 0.0625>>) -> tensor<3x1x!quant.uniform<i8:f32, 512.0:-2>>
    return %0 : tensor<3x1x!quant.uniform<i8:f32, 512.0:-2>>
  }
}
