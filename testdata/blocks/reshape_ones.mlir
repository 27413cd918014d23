// clause: reshape: an element keeps its parameters where it moves (S10)
// Blocks of one in another shape.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-7, 48, 0], [105, 87, -54]]> : tensor<2x3xi8>
// expect: dense<[[-7, 48], [0, 105], [87, -54]]> : tensor<3x2xi8>
// expect: dense<[[-3.5, 12.0], [0.0, 78.75], [130.5, -6.75]]> : tensor<3x2xf32>
// wrong (scales per block left out): dense<[[-7, 48], [0, 105], [87, -54]]> : tensor<3x2xi8>; dense<[[-7.0, 48.0], [0.0, 105.0], [87.0, -54.0]]> : tensor<3x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-7, 48], [0, 105], [87, -54]]> : tensor<3x2xi8>; dense<[[-1.75, 24.0], [0.0, 2.1e+02], [10.875, -81.0]]> : tensor<3x2xf32>
// wrong (blocks twice as long): dense<[[-7, 48], [0, 105], [87, -54]]> : tensor<3x2xi8>; dense<[[-3.5, 24.0], [0.0, 2.1e+02], [130.5, -81.0]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> (tensor<3x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>, tensor<3x2xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<3x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>) -> tensor<3x2xf32>
    func.return %r, %d : tensor<3x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>, tensor<3x2xf32>
  }
}
