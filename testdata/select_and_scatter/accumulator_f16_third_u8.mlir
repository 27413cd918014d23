// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[5, 5, 5, 5, 255, 5, 5, 5, 5]> : tensor<9xui8>
// args: dense<[255, 251, 249, 233, 211, 187, 255, 241, 199, 255, 251, 249, 233, 211, 187, 255, 241]> : tensor<17xui8>
// args: dense<6> : tensor<ui8>
// expect: dense<[962, -6, -6, -6, 2029, 200, 176, 244, 230]> : tensor<9xi16>
!u8 = !quant.uniform<u8:f16, 0.3:5>
!i16 = !quant.uniform<i16:f16, 0.3:-7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<9x!u8>, %source: tensor<17x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 9>, padding = dense<[[8, 8]]> : tensor<1x2xi64>} : (tensor<9x!u8>, tensor<17x!u8>, tensor<!u8>) -> tensor<9x!i16>
    "func.return"(%0) : (tensor<9x!i16>) -> ()
  }) {function_type = (tensor<9x!u8>, tensor<17x!u8>, tensor<!u8>) -> tensor<9x!i16>, sym_name = "main"} : () -> ()
}
