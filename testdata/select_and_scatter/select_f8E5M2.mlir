// clause: select_and_scatter: numbers are compared, not their bits
// -1 is the larger of two negative numbers.
// derivation: by hand: -1 >= -2.
// args: dense<[0xC0, 0xBC]> : tensor<2xf8E5M2>
// args: dense<[0x44]> : tensor<1xf8E5M2>
// args: dense<0x00> : tensor<f8E5M2>
// expect: dense<[0x00, 0x44]> : tensor<2xf8E5M2>
// wrong (the largest bits, unsigned): dense<[0x44, 0x00]> : tensor<2xf8E5M2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf8E5M2>, %source: tensor<1xf8E5M2>, %init_value: tensor<f8E5M2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f8E5M2>, %b0: tensor<f8E5M2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f8E5M2>, %b0: tensor<f8E5M2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
      "stablehlo.return"(%r0) : (tensor<f8E5M2>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2xf8E5M2>, tensor<1xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>
    "func.return"(%0) : (tensor<2xf8E5M2>) -> ()
  }) {function_type = (tensor<2xf8E5M2>, tensor<1xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>, sym_name = "main"} : () -> ()
}
