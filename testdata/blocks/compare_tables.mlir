// clause: compare: of dequantized numbers
// Equal stored integers of different blocks are different numbers.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, 5, -7, 5], [3, 7, 1, 127]]> : tensor<2x4xi8>
// args: dense<[[2, 4, -1, 11], [0, 7, 5, 127]]> : tensor<2x4xi8>
// expect: dense<[[true, true, true, true], [true, false, true, false]]> : tensor<2x4xi1>
// wrong (scales per block left out): dense<[[true, true, true, true], [true, false, true, true]]> : tensor<2x4xi1>
// wrong (zero point of the next block; zero point of the block before): dense<[[true, true, false, false], [true, true, false, false]]> : tensor<2x4xi1>
// wrong (blocks half as long): dense<[[true, true, false, true], [true, true, false, false]]> : tensor<2x4xi1>
// wrong (blocks twice as long): dense<[[true, true, false, false], [true, false, false, false]]> : tensor<2x4xi1>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4xi1> {
    %r = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4xi1>
    func.return %r : tensor<2x4xi1>
  }
}
