// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 127, 0]> : tensor<4xi8>
// args: dense<[1, 1, -1, 1, 1, 1, -1]> : tensor<7xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[127, 1, 127, 0]> : tensor<4xi8>
!i8 = !quant.uniform<i8:bf16, 3.0e+38>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 3]]> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
