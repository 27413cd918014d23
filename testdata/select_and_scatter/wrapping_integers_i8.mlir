// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[119, 110, 96, 117, 101, 87, 108]> : tensor<7xi8>
// args: dense<[102, 66, 87, 101, 73, 66, 66]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-88, 0, 0, 5, 0, 0, -124]> : tensor<7xi8>
// wrong (saturated instead of wrapped): dense<[127, 0, 0, 127, 0, 0, 127]> : tensor<7xi8>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi8>, %source: tensor<7xi8>, %init_value: tensor<i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i8>, tensor<i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi8>, tensor<7xi8>, tensor<i8>) -> tensor<7xi8>
    "func.return"(%0) : (tensor<7xi8>) -> ()
  }) {function_type = (tensor<7xi8>, tensor<7xi8>, tensor<i8>) -> tensor<7xi8>, sym_name = "main"} : () -> ()
}
