// clause: minimum: dequantize, minimum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[23288, 23052, 21275, 21863, 17689, 19034, 30157]> : tensor<7xi16>
// args: dense<32767> : tensor<i16>
// expect: dense<[23040, 21248, 17664, 19072]> : tensor<4xi16>
// wrong (least stored integer, not requantized): dense<[23052, 21275, 17689, 19034]> : tensor<4xi16>
!i16 = !quant.uniform<i16:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
