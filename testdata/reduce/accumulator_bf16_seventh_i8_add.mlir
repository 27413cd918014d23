// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[11, 13, 7, 9, 15, 3, 14, 5], [5, 14, 3, 15, 9, 7, 13, 11], [13, 7, 9, 15, 3, 14, 5, 11], [-11, -13, -7, -9, -15, -3, -14, -5]]> : tensor<4x8xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[78, 78, 78, -76]> : tensor<4xi16>
!i8 = !quant.uniform<i8:bf16, 0.7>
!i16 = !quant.uniform<i16:bf16, 0.7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x8x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x8x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x8x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
