// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// Results of 8 bits: a clamped sum shows in them, though they are far from their own bounds.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[103, 111, 81, 106, 88, 107], [-72, -88, -75, -123, -120, -70], [103, 93, 85, 101, -103, -93]]> : tensor<3x6xi8>
// args: dense<[[96], [120], [75], [92], [101], [97]]> : tensor<6x1xi8>
// expect: dense<[[112], [-106], [32]]> : tensor<3x1xi8>
// wrong (summed in i16 saturate): dense<[[62], [-66], [24]]> : tensor<3x1xi8>
// wrong (summed in i16 wrap): dense<[[-16], [22], [32]]> : tensor<3x1xi8>
module {
  func.func @main(%x: tensor<3x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<6x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i8:f32, 64.0:-2>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6x!quant.uniform<i8:f32, 0.5>>, tensor<6x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i8:f32, 64.0:-2>>
    return %0 : tensor<3x1x!quant.uniform<i8:f32, 64.0:-2>>
  }
}
