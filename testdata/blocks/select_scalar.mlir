// clause: select: operands and result have equal parameters (S12)
// One predicate for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<false> : tensor<i1>
// args: dense<[[83, -46, -94, -19], [-106, -73, 66, -92]]> : tensor<2x4xi8>
// args: dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>
// expect: dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>
// expect: dense<[[6.0, -51.0, -15.25, 20.75], [-31.5, -63.0, 25.0, -18.75]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>; dense<[[12.0, -102.0, -61.0, 83.0], [-63.0, -126.0, 1.0e+02, -75.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>; dense<[[3.0, -25.5, -30.5, 41.5], [-15.75, -31.5, 5.0e+01, -37.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>; dense<[[11.0, -46.0, -17.75, 18.25], [-26.5, -58.0, 22.5, -21.25]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>; dense<[[6.0, -23.0, -35.5, 20.75], [-31.5, -29.0, 45.0, -18.75]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[15, -99, -68, 76], [-60, -123, 93, -82]]> : tensor<2x4xi8>; dense<[[6.0, -51.0, -35.5, 36.5], [-31.5, -63.0, 45.0, -42.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg2: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
