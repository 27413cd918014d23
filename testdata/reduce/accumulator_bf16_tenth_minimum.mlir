// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[15, 16, 17, 31, -33, 63, -3], [-3, 63, -33, 31, 17, 16, 15], [16, 17, 31, -33, 63, -3, 15], [-15, -16, -17, -31, 33, -63, 3]]> : tensor<4x7xi8>
// args: dense<15> : tensor<i8>
// expect: dense<[-33, -33, -33, -63]> : tensor<4xi8>
!i8 = !quant.uniform<i8:bf16, 0.1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
