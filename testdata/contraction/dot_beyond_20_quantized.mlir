// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 20 bits holds the first two sums; the third leaves its range and comes back.
// The result has the scale of the products, so that it is the sum itself.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[95, 101, 93, 116, 111, 94, 123, 106, 109, 103, 123, 121, 104, 116, 94, 107, 94, 125, 94, 109, 96, 108, 94, 110, 95, 112, 100, 101, 98, 102, 123, 125, 107, 127, 120, 123, 100, 123, 127, 97, 96, 107, 106, 106, 106, 95, 117, 99, 124, 109, 105, 117, 123, 120, 99, 115, 117, 104, 93, 126, 119, 113, 115, 110], [-102, -111, -107, -113, -101, -90, -109, -97, -90, -107, -93, -119, -88, -108, -94, -116, -88, -107, -118, -104, -116, -110, -107, -114, -105, -119, -104, -116, -100, -105, -94, -94, -98, -117, -115, -119, -116, -103, -95, -88, -120, -107, -87, -94, -91, -106, -110, -113, -108, -106, -99, -94, -118, -96, -102, -98, -113, -116, -113, -105, -91, -106, -99, -88], [107, 103, 103, 124, 98, 126, 112, 124, 98, 98, 113, 93, 98, 102, 102, 106, 121, 117, 123, 108, 124, 124, 121, 104, 100, 93, 122, 119, 126, 108, 122, 125, 124, 124, 100, 104, 102, 102, 124, 106, 121, 96, 110, 124, 107, 107, 99, 115, 100, 124, 113, -101, -97, -97, -118, -92, -120, -106, -118, -92, -92, -107, -87, -92]]> : tensor<3x64xi8>
// args: dense<[[91], [126], [100], [115], [118], [98], [95], [126], [99], [108], [117], [125], [115], [110], [126], [123], [110], [96], [93], [100], [112], [113], [110], [104], [103], [116], [102], [125], [102], [109], [91], [122], [105], [114], [96], [95], [92], [115], [114], [106], [125], [98], [109], [117], [97], [118], [100], [114], [121], [119], [104], [106], [97], [106], [101], [107], [119], [90], [125], [124], [102], [108], [99], [96]]> : tensor<64x1xi8>
// expect: dense<[[734592], [-745392], [456590]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [-32768]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[13696], [-24496], [-2162]]> : tensor<3x1xi32>
// wrong (summed in i20 saturate): dense<[[524287], [-524288], [379625]]> : tensor<3x1xi32>
// wrong (summed in i20 wrap): dense<[[-313984], [303184], [456590]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x64x!quant.uniform<i8:f32, 0.5:3>>, %w: tensor<64x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i32:f32, 0.125>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x64x!quant.uniform<i8:f32, 0.5:3>>, tensor<64x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i32:f32, 0.125>>
    return %0 : tensor<3x1x!quant.uniform<i32:f32, 0.125>>
  }
}
