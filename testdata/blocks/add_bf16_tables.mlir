// clause: add: in bf16
// Sums are rounded to bf16 between the tables.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[100, 99, 98, 97], [1, 2, 3, 4]]> : tensor<2x4xi8>
// args: dense<[[1, 2, 3, 4], [100, 99, 98, 97]]> : tensor<2x4xi8>
// expect: dense<[[102, 51, 126, 16], [3, 2, 8, 1]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero): dense<[[102, 51, 127, 16], [3, 2, 8, 1]]> : tensor<2x4xi8>
// wrong (rounded toward zero; rounded down): dense<[[101, 51, 126, 15], [3, 1, 7, 1]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[101, 101, 101, 101], [101, 101, 101, 101]]> : tensor<2x4xi8>
// wrong (scale of the next block): dense<[[30, 119, 24, 97], [70, 127, 35, 127]]> : tensor<2x4xi8>
// wrong (scale of the block before): dense<[[15, 60, 49, 127], [35, 127, 70, 127]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[102, 31, 127, 16], [3, 2, 10, 1]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[102, 102, 51, 51], [127, 127, 70, 70]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:bf16:{1:2}, {{0.5, 0.3}}>>, %arg1: tensor<2x4x!quant.uniform<i8:bf16:{0:1}, {{0.7}, {0.01}}>>) -> tensor<2x4x!quant.uniform<i8:bf16:{1:1}, {{0.5, 1.0, 0.25, 2.0}}>> {
    %r = "stablehlo.add"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:bf16:{1:2}, {{0.5, 0.3}}>>, tensor<2x4x!quant.uniform<i8:bf16:{0:1}, {{0.7}, {0.01}}>>) -> tensor<2x4x!quant.uniform<i8:bf16:{1:1}, {{0.5, 1.0, 0.25, 2.0}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:bf16:{1:1}, {{0.5, 1.0, 0.25, 2.0}}>>
  }
}
