// clause: dot_general: the sum is converted to the result's type last (erratum E29)
// Sums in the result's type would lose each 1 by itself.
// derivation: by hand: 256 + 1 + 1 in f32, and 258 is 129 * 2.
// args: dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
// args: dense<[1.0, 1.0, 1.0]> : tensor<3xbf16>
// expect: dense<258.0> : tensor<bf16>
// wrong (accumulated in the result's type): dense<256.0> : tensor<bf16>
module {
  func.func @main(%lhs: tensor<3xbf16>, %rhs: tensor<3xbf16>) -> tensor<bf16> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
}
