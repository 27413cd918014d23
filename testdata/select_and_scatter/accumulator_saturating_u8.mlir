// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[128, 128, 128, 255, 128, 128]> : tensor<6xui8>
// args: dense<[250, 250, 3, 0, 0, 255, 250, 250, 3, 0, 0]> : tensor<11xui8>
// args: dense<129> : tensor<ui8>
// expect: dense<[130, 129, 129, 130, 1, 1]> : tensor<6xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<6x!u8>, %source: tensor<11x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 6>, padding = dense<[[5, 5]]> : tensor<1x2xi64>} : (tensor<6x!u8>, tensor<11x!u8>, tensor<!u8>) -> tensor<6x!u8>
    "func.return"(%0) : (tensor<6x!u8>) -> ()
  }) {function_type = (tensor<6x!u8>, tensor<11x!u8>, tensor<!u8>) -> tensor<6x!u8>, sym_name = "main"} : () -> ()
}
