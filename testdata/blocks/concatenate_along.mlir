// clause: concatenate: an element keeps its parameters where it moves (S10)
// Blocks of two operands, one after the other.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-92, -24, -7, 63], [-128, 51, 79, 14]]> : tensor<2x4xi8>
// args: dense<[[81, -70], [63, -110]]> : tensor<2x2xi8>
// expect: dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>
// expect: dense<[[-47.5, -13.5, 0.0, 17.5, 162.0, -1.4e+02], [-65.5, 24.0, 21.5, 5.25, 126.0, -2.2e+02]]> : tensor<2x6xf32>
// wrong (scales per block left out): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-95.0, -27.0, 0.0, 7.0e+01, 81.0, -7.0e+01], [-131.0, 48.0, 86.0, 21.0, 63.0, -1.1e+02]]> : tensor<2x6xf32>
// wrong (scale of the next block): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-23.75, -6.75, 0.0, 1.4e+02, 40.5, -35.0], [-32.75, 12.0, 172.0, 42.0, 31.5, -55.0]]> : tensor<2x6xf32>
// wrong (scale of the block before): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-1.9e+02, -54.0, 0.0, 35.0, 20.25, -17.5], [-262.0, 96.0, 43.0, 10.5, 15.75, -27.5]]> : tensor<2x6xf32>
// wrong (zero point of the next block): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-42.5, -8.5, -1.75, 15.75, 156.0, -146.0], [-60.5, 29.0, 19.75, 3.5, 1.2e+02, -226.0]]> : tensor<2x6xf32>
// wrong (zero point of the block before): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-46.0, -12.0, -2.5, 15.0, 176.0, -126.0], [-64.0, 25.5, 19.0, 2.75, 1.4e+02, -206.0]]> : tensor<2x6xf32>
// wrong (blocks half as long): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-47.5, -4.25, -14.0, 3.0e+01, 22.0, -1.4e+02], [-65.5, 14.5, 158.0, 5.5, 17.5, -2.2e+02]]> : tensor<2x6xf32>
// wrong (blocks twice as long): dense<[[-92, -24, -7, 63, 81, -70], [-128, 51, 79, 14, 63, -110]]> : tensor<2x6xi8>; dense<[[-47.5, -13.5, -5.0, 3.0e+01, 22.0, -15.75], [-65.5, 24.0, 38.0, 5.5, 17.5, -25.75]]> : tensor<2x6xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{2.0}}>>) -> (tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0}}>>, tensor<2x6xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{2.0}}>>) -> tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0}}>>) -> tensor<2x6xf32>
    func.return %r, %d : tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0}}>>, tensor<2x6xf32>
  }
}
