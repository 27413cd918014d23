// clause: dot_general: weights with a scale for each block of two (erratum E49)
// The blocks lie along the contracted dimension: the sum has products of two scales.
// derivation: by hand: (1 * 0.5 + 2 * 1.0) + (3 * 0.75 + 4 * 1.0), scales 0.5 and 0.25.
// args: dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// args: dense<[1, 2, 3, 4]> : tensor<4xi4>
// expect: dense<8.75> : tensor<f32>
module {
  func.func @main(%lhs: tensor<4xf32>, %rhs: tensor<4x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25}>>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
    } : (tensor<4xf32>, tensor<4x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25}>>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
