// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[199, 226, 236, 252, 246, 235, 231]> : tensor<7xui8>
// args: dense<[233, 250, 223, 227, 197, 223, 238]> : tensor<7xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[0, 233, 250, 135, 223, 238, 0]> : tensor<7xui8>
// wrong (saturated instead of wrapped): dense<[0, 233, 250, 255, 223, 238, 0]> : tensor<7xui8>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xui8>, %source: tensor<7xui8>, %init_value: tensor<ui8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%r0) : (tensor<ui8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui8>
    "func.return"(%0) : (tensor<7xui8>) -> ()
  }) {function_type = (tensor<7xui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui8>, sym_name = "main"} : () -> ()
}
