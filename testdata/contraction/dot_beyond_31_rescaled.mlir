// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// Results of 8 bits: a clamped sum shows in them, though they are far from their own bounds.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[13952, 17920, 16000, 18176, 15488, 13056], [-18176, -12288, -14464, -14464, -18432, -12288], [19584, 15232, 13824, 16384, 18944, -19584]]> : tensor<3x6xi16>
// args: dense<[[14208], [12800], [18432], [16384], [12416], [14592]]> : tensor<6x1xi16>
// expect: dense<[[82], [-81], [54]]> : tensor<3x1xi8>
// wrong (summed in i16 saturate; summed in i16 wrap; summed in i20 saturate; summed in i20 wrap; summed in i24 saturate; summed in i24 wrap): dense<[[-2], [-2], [-2]]> : tensor<3x1xi8>
// wrong (summed in i31 saturate): dense<[[62], [-66], [45]]> : tensor<3x1xi8>
// wrong (summed in i31 wrap): dense<[[-46], [47], [54]]> : tensor<3x1xi8>
module {
  func.func @main(%x: tensor<3x6x!quant.uniform<i16:f32, 0.0078125>>, %w: tensor<6x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x!quant.uniform<i8:f32, 1024.0:-2>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6x!quant.uniform<i16:f32, 0.0078125>>, tensor<6x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x!quant.uniform<i8:f32, 1024.0:-2>>
    return %0 : tensor<3x1x!quant.uniform<i8:f32, 1024.0:-2>>
  }
}
