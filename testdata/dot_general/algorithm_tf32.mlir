// clause: dot_general: lhs_precision_type and rhs_precision_type are what operands are rounded to
// tf32 has 11 significant bits and the exponents of f32: a tie goes to the even neighbour.
// derivation: by hand: numbers above 4096 are spaced by 4: 4098 and 4102 are ties, of 1024 and 1025, 1025
// and 1026.
// args: dense<[[4097.0], [4098.0], [4099.0], [4102.0], [1.2679601e+30]]> : tensor<5x1xf32>
// args: dense<[1.0]> : tensor<1xf32>
// expect: dense<[4096.0, 4096.0, 4.1e+03, 4104.0, 1.2676506e+30]> : tensor<5xf32>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<[4097.0, 4098.0, 4099.0, 4102.0, 1.2679601e+30]> : tensor<5xf32>
// wrong (truncated): dense<[4096.0, 4096.0, 4096.0, 4.1e+03, 1.2676506e+30]> : tensor<5xf32>
// wrong (ties of operands rounded away from zero): dense<[4096.0, 4.1e+03, 4.1e+03, 4104.0, 1.2676506e+30]> : tensor<5xf32>
// wrong (rounded to bf16): dense<[4096.0, 4096.0, 4096.0, 4096.0, 1.2676506e+30]> : tensor<5xf32>
// wrong (rounded to f16, which has fewer exponents): dense<[4096.0, 4096.0, 4.1e+03, 4104.0, 0x7F800000]> : tensor<5xf32>
module {
  func.func @main(%lhs: tensor<5x1xf32>, %rhs: tensor<1xf32>) -> tensor<5xf32> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<5x1xf32>, tensor<1xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
