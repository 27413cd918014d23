// clause: dot_general: accumulation_type is the type of products and sums (erratum E29)
// An implementation that accumulates in f32 all the same is more precise, and wrong.
// derivation: by hand: 256 + 1 is a tie between 128 * 2 and 129 * 2.
// args: dense<[256.0, 1.0]> : tensor<2xf32>
// args: dense<[1.0, 1.0]> : tensor<2xf32>
// expect: dense<256.0> : tensor<f32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<257.0> : tensor<f32>
module {
  func.func @main(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = bf16,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
