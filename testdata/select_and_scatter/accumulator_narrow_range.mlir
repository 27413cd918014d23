// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 0, 127, 0, 0]> : tensor<6xi8>
// args: dense<[127, 127, 127, -128, -128, -128, 127, 127, 127, -128, -128]> : tensor<11xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[300, 1, 1, 81, -127, -127]> : tensor<6xi32>
!i8 = !quant.uniform<i8:f32, 0.5>
!i32 = !quant.uniform<i32<-300:300>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<6x!i8>, %source: tensor<11x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 6>, padding = dense<[[5, 5]]> : tensor<1x2xi64>} : (tensor<6x!i8>, tensor<11x!i8>, tensor<!i8>) -> tensor<6x!i32>
    "func.return"(%0) : (tensor<6x!i32>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<11x!i8>, tensor<!i8>) -> tensor<6x!i32>, sym_name = "main"} : () -> ()
}
