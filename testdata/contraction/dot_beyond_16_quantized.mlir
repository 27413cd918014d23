// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// The result has the scale of the products, so that it is the sum itself.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[103, 111, 81, 106, 88, 107], [-72, -88, -75, -123, -120, -70], [103, 93, 85, 101, -103, -93]]> : tensor<3x6xi8>
// args: dense<[[96], [120], [75], [92], [101], [97]]> : tensor<6x1xi8>
// expect: dense<[[58302], [-53323], [17291]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [13343]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[-7234], [12213], [17291]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<6x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i32:f32, 0.125>> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6x!quant.uniform<i8:f32, 0.5>>, tensor<6x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x1x!quant.uniform<i32:f32, 0.125>>
    return %0 : tensor<3x1x!quant.uniform<i32:f32, 0.125>>
  }
}
