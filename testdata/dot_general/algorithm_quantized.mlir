// clause: dot_general: quantized operands are dequantized, then rounded (erratum E30)
// The specification's formula for quantized operands leaves the algorithm out.
// derivation: by hand: 257.0 becomes 256.0; 256.0 * 3.0 + 2.0 * 1.0 = 770.0 in steps of 0.5.
// args: dense<[257, 2]> : tensor<2xi32>
// args: dense<[3, 1]> : tensor<2xi32>
// expect: dense<1540> : tensor<i32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<1546> : tensor<i32>
module {
  func.func @main(%lhs: tensor<2x!quant.uniform<i32:f32, 1.0>>, %rhs: tensor<2x!quant.uniform<i32:f32, 1.0>>) -> tensor<!quant.uniform<i32:f32, 0.5>> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<2x!quant.uniform<i32:f32, 1.0>>, tensor<2x!quant.uniform<i32:f32, 1.0>>) -> tensor<!quant.uniform<i32:f32, 0.5>>
    return %0 : tensor<!quant.uniform<i32:f32, 0.5>>
  }
}
