// clause: minimum: dequantize, minimum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[59025, 51557, 51141, 60703, 55215, 50134, 62697]> : tensor<7xui16>
// args: dense<[55246, 63603, 62536, 63549, 61539, 50890, 58233]> : tensor<7xui16>
// args: dense<65535> : tensor<ui16>
// expect: dense<[55232, 65535, 65535, 61536, 65535, 65535, 50880]> : tensor<7xui16>
// wrong (least stored integer, not requantized): dense<[55246, 65535, 65535, 61539, 65535, 65535, 50890]> : tensor<7xui16>
!u16 = !quant.uniform<u16:f16, 0.1:100>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u16>, %source: tensor<7x!u16>, %init_value: tensor<!u16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u16>, tensor<!u16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!u16>, tensor<!u16>) -> tensor<!u16>
      "stablehlo.return"(%r0) : (tensor<!u16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u16>, tensor<7x!u16>, tensor<!u16>) -> tensor<7x!u16>
    "func.return"(%0) : (tensor<7x!u16>) -> ()
  }) {function_type = (tensor<7x!u16>, tensor<7x!u16>, tensor<!u16>) -> tensor<7x!u16>, sym_name = "main"} : () -> ()
}
