// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[199, 226, 236, 252, 246, 235], [231, 233, 250, 223, 227, 197]]> : tensor<2x6xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[114, 81]> : tensor<2xui8>
// wrong (saturated instead of wrapped): dense<[255, 255]> : tensor<2xui8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%r0) : (tensor<ui8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xui8>, tensor<ui8>) -> tensor<2xui8>
    "func.return"(%0) : (tensor<2xui8>) -> ()
  }) {function_type = (tensor<2x6xui8>, tensor<ui8>) -> tensor<2xui8>, sym_name = "main"} : () -> ()
}
