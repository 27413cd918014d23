// clause: reduce_window: N operands of mixed types fold together
// Padding of each operand is its own init value.
// derivation: by hand: (pad, 9), (9, 9), (9, 1): GE keeps the left one.
// args: dense<[9, 9, 1]> : tensor<3xi8>
// args: dense<[0, 1, 2]> : tensor<3xi32>
// args: dense<-128> : tensor<i8>
// args: dense<-1> : tensor<i32>
// expect: dense<[9, 9, 9]> : tensor<3xi8>
// expect: dense<[0, 0, 1]> : tensor<3xi32>
// wrong (the last of equals): dense<[9, 9, 9]> : tensor<3xi8>; dense<[0, 1, 1]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<3x!i8>, %input1: tensor<3xi32>, %init0: tensor<!i8>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<!i8>, %a1: tensor<i32>, %b0: tensor<!i8>, %b1: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      %v = "stablehlo.select"(%p, %a0, %b0) : (tensor<i1>, tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %i = "stablehlo.select"(%p, %a1, %b1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v, %i) : (tensor<!i8>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<3x!i8>, tensor<3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<3x!i8>, tensor<3xi32>)
    "func.return"(%0#0, %0#1) : (tensor<3x!i8>, tensor<3xi32>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<3x!i8>, tensor<3xi32>), sym_name = "main"} : () -> ()
}
