// clause: xor of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[115, 80, 207, 92, 141], [128, 253, 18, 255, 67]]> : tensor<2x5xui8>
// args: dense<237> : tensor<ui8>
// expect: dense<[208, 62]> : tensor<2xui8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %r0 = "stablehlo.xor"(%a0, %b0) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%r0) : (tensor<ui8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xui8>, tensor<ui8>) -> tensor<2xui8>
    "func.return"(%0) : (tensor<2xui8>) -> ()
  }) {function_type = (tensor<2x5xui8>, tensor<ui8>) -> tensor<2xui8>, sym_name = "main"} : () -> ()
}
