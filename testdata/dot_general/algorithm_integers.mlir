// clause: dot_general: operands of any type are rounded to their precision types (erratum E29)
// Integers are, too, and the sum comes back as an integer.
// derivation: by hand: 4097 becomes 4096; 4096 * 1 + 3 * 2.
// args: dense<[4097, 3]> : tensor<2xi64>
// args: dense<[1, 2]> : tensor<2xi64>
// expect: dense<4102> : tensor<i64>
// wrong (the algorithm ignored, as StableHLO's reference interpreter): dense<4103> : tensor<i64>
module {
  func.func @main(%lhs: tensor<2xi64>, %rhs: tensor<2xi64>) -> tensor<i64> {
    %0 = "stablehlo.dot_general"(%lhs, %rhs) {
      dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<
        lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
    } : (tensor<2xi64>, tensor<2xi64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
}
