// clause: dot_general: accumulation_type is the type of products and sums (erratum E29)
// A product beyond 65504 is infinite in f16, whatever the result could hold.
// derivation: by hand: 300 * 300 = 90000.
// args: dense<[3.0e+02]> : tensor<1xf32>
// args: dense<[3.0e+02]> : tensor<1xf32>
// expect: dense<0x7F800000> : tensor<f32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<9.0e+04> : tensor<f32>
module {
  func.func @main(%lhs: tensor<1xf32>, %rhs: tensor<1xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f16,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
