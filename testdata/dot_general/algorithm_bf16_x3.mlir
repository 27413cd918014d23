// clause: dot_general: three primitive operations are products of a high and a low part (erratum E48)
// 1 + 2^-9 is 1 and 2^-9 in bf16; its square has no product of two low parts here.
// derivation: by hand: 1 * 1 + 2 * 2^-9 - 1.
// args: dense<[1.001953125, -1.0]> : tensor<2xf32>
// args: dense<[1.001953125, 1.0]> : tensor<2xf32>
// expect: dense<0.00390625> : tensor<f32>
// wrong (the algorithm ignored): dense<0.0039100647> : tensor<f32>
module {
  func.func @main(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
        allow_imprecise_accumulation = false>
    } : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
