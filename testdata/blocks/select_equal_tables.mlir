// clause: select: operands and result have equal parameters (S12)
// Blocks of 2, and blocks of one that write the same table.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[true, false, true, false], [true, true, true, false]]> : tensor<2x4xi1>
// args: dense<[[42, 91, -93, 79], [121, -103, -65, -66]]> : tensor<2x4xi8>
// args: dense<[[-16, -72, -60, 21], [96, -52, -35, -34]]> : tensor<2x4xi8>
// expect: dense<[[42, -72, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>
// expect: dense<[[19.5, -37.5, -21.5, 7.0], [59.0, -53.0, -14.5, -6.75]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[42, -72, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>; dense<[[39.0, -75.0, -86.0, 28.0], [118.0, -106.0, -58.0, -27.0]]> : tensor<2x4xf32>
// wrong (scale of the next block): dense<[[42, -72, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>; dense<[[9.75, -18.75, -43.0, 14.0], [29.5, -26.5, -29.0, -13.5]]> : tensor<2x4xf32>
// wrong (scale of the block before): dense<[[42, -128, -93, 7], [121, -103, -65, -20]]> : tensor<2x4xi8>; dense<[[9.75, -32.75, -43.0, 7.0], [29.5, -26.5, -29.0, -6.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block): dense<[[42, -72, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>; dense<[[24.5, -32.5, -24.0, 4.5], [64.0, -48.0, -17.0, -9.25]]> : tensor<2x4xf32>
// wrong (zero point of the block before): dense<[[42, -82, -93, 31], [121, -103, -65, -24]]> : tensor<2x4xi8>; dense<[[24.5, -37.5, -24.0, 7.0], [64.0, -48.0, -17.0, -6.75]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[42, -128, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>; dense<[[19.5, -30.25, -48.0, 7.0], [59.0, -24.0, -34.0, -6.75]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[42, -72, -93, 21], [121, -103, -65, -34]]> : tensor<2x4xi8>; dense<[[19.5, -37.5, -48.0, 9.0], [59.0, -53.0, -34.0, -18.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xi1>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg2: tensor<2x4x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.5:3, 0.25:-7, 0.25:-7}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<2x4xi1>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.5:3, 0.25:-7, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
