// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// The result has the scale of the products, so that it is the sum itself.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[13952, 17920, 16000, 18176, 15488, 13056], [-18176, -12288, -14464, -14464, -18432, -12288], [19584, 15232, 13824, 16384, 18944, -19584]]> : tensor<3x6xi16>
// args: dense<[[14208], [12800], [18432], [16384], [12416], [14592]]> : tensor<6x1xi16>
// expect: dense<[[1403125760], [-1327267840], [945897472]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [-32768]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[0], [-32768], [16384]]> : tensor<3x1xi32>
// wrong (summed in i20 saturate): dense<[[524287], [-524288], [-524288]]> : tensor<3x1xi32>
// wrong (summed in i20 wrap): dense<[[131072], [229376], [81920]]> : tensor<3x1xi32>
// wrong (summed in i24 saturate): dense<[[8388607], [-8388608], [-8388608]]> : tensor<3x1xi32>
// wrong (summed in i24 wrap): dense<[[-6160384], [-1867776], [6373376]]> : tensor<3x1xi32>
// wrong (summed in i31 saturate): dense<[[1073741824], [-1073741824], [787972096]]> : tensor<3x1xi32>
// wrong (summed in i31 wrap): dense<[[-744357888], [820215808], [945897472]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x6x!quant.uniform<i16:f32, 0.0078125>>, %w: tensor<6x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x!quant.uniform<i32:f32, 6.103515625e-05>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6x!quant.uniform<i16:f32, 0.0078125>>, tensor<6x1x!quant.uniform<i16:f32, 0.0078125>>) -> tensor<3x1x!quant.uniform<i32:f32, 6.103515625e-05>>
    return %0 : tensor<3x1x!quant.uniform<i32:f32, 6.103515625e-05>>
  }
}
