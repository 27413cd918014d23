// clause: dot_general: lhs_precision_type and rhs_precision_type are what operands are rounded to
// Two precision types; accumulation may be imprecise, and need not be.
// derivation: by hand: 9 is a tie in f8E5M2, between 8 = 4 * 2 and 10 = 5 * 2, and 11 is an f8E4M3FN: 8 * 11
// + 0.125.
// args: dense<[9.0, 1.0]> : tensor<2xf32>
// args: dense<[11.0, 0.125]> : tensor<2xf32>
// expect: dense<88.125> : tensor<f32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<99.125> : tensor<f32>
// wrong (precision types exchanged): dense<108.125> : tensor<f32>
module {
  func.func @main(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = true>
    } : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
