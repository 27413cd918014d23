// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[127, -128, 5, 6, 100]> : tensor<5xi8>
// args: dense<-2> : tensor<i8>
// expect: dense<[100006, 99884, 100018, 100113]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:-3>
!i32 = !quant.uniform<i32:f32, 0.5:100000>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
