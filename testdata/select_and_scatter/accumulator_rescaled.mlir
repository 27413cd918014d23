// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-3, -3, 127, -3, -3]> : tensor<5xi8>
// args: dense<[127, -128, 5, 6, 100, 127, -128, 5, 6]> : tensor<9xi8>
// args: dense<-2> : tensor<i8>
// expect: dense<[189, 39, 3789, 279, 309]> : tensor<5xi32>
!i8 = !quant.uniform<i8:f32, 0.3:-3>
!i32 = !quant.uniform<i32:f32, 0.01:9>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i8>, %source: tensor<9x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i8>, tensor<9x!i8>, tensor<!i8>) -> tensor<5x!i32>
    "func.return"(%0) : (tensor<5x!i32>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<9x!i8>, tensor<!i8>) -> tensor<5x!i32>, sym_name = "main"} : () -> ()
}
