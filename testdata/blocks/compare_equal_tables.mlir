// clause: compare: of dequantized numbers
// Zero points and scales differ, and numbers are equal in half of the places.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, 5, -7, 5], [3, 4, -5, 9]]> : tensor<2x4xi8>
// args: dense<[[3, 4, -7, 6], [3, 4, -5, 8]]> : tensor<2x4xi8>
// expect: dense<[[true, false, true, false], [true, true, true, false]]> : tensor<2x4xi1>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xi1> {
    %r = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xi1>
    func.return %r : tensor<2x4xi1>
  }
}
