// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[119, 110, 96, 117, 101, 87], [108, 102, 66, 87, 101, 73]]> : tensor<2x6xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[118, 25]> : tensor<2xi8>
// wrong (saturated instead of wrapped): dense<[127, 127]> : tensor<2xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi8>, tensor<i8>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x6xi8>, tensor<i8>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}
