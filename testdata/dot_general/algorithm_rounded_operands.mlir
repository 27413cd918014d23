// clause: dot_general: lhs_precision_type and rhs_precision_type are what operands are rounded to
// 257 has nine significant bits, bf16 eight; both operands are rounded.
// derivation: by hand: 257 is a tie between 256 = 128 * 2 and 258 = 129 * 2, 259 between 129 * 2 and 260 =
// 130 * 2: 256 * 260.
// args: dense<[257.0]> : tensor<1xf32>
// args: dense<[259.0]> : tensor<1xf32>
// expect: dense<6.656e+04> : tensor<f32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<66563.0> : tensor<f32>
// wrong (lhs alone rounded): dense<66304.0> : tensor<f32>
// wrong (rhs alone rounded): dense<6.682e+04> : tensor<f32>
module {
  func.func @main(%lhs: tensor<1xf32>, %rhs: tensor<1xf32>) -> tensor<f32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
