// clause: dot_general: accumulation_type is the type of products and sums (erratum E29)
// The product of two bf16 numbers and a sum of them need more bits than bf16 has.
// derivation: by hand: 258 is 129 * 2, a bf16; 258 * 258 = 66564, and 1.
// args: dense<[258.0, 1.0]> : tensor<2xf32>
// args: dense<[258.0, 1.0]> : tensor<2xf32>
// expect: dense<66565.0> : tensor<f32>
// wrong (products and sums rounded to bf16): dense<6.656e+04> : tensor<f32>
// wrong (products rounded to bf16): dense<66561.0> : tensor<f32>
module {
  func.func @main(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
