// clause: xor of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[239, 66, 90, 117, 170], [52, 150, 126, 179, 194]]> : tensor<2x5xui8>
// args: dense<92> : tensor<ui8>
// expect: dense<[116, 241]> : tensor<2xui32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>):
      %r0 = "stablehlo.xor"(%a0, %b0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%r0) : (tensor<ui32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xui8>, tensor<ui8>) -> tensor<2xui32>
    "func.return"(%0) : (tensor<2xui32>) -> ()
  }) {function_type = (tensor<2x5xui8>, tensor<ui8>) -> tensor<2xui32>, sym_name = "main"} : () -> ()
}
