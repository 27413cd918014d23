// clause: reduce: N operands of mixed types fold together
// A quantized value decides for an integer index; of equals the left one stays.
// derivation: by hand: 9 at 1 and 2, 7 at 0 and 3; GE keeps the left one.
// args: dense<[[5, 9, 9, 2], [7, -3, 0, 7]]> : tensor<2x4xi8>
// args: dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi32>
// args: dense<-128> : tensor<i8>
// args: dense<-1> : tensor<i32>
// expect: dense<[9, 7]> : tensor<2xi8>
// expect: dense<[1, 0]> : tensor<2xi32>
// wrong (the last of equals): dense<[9, 7]> : tensor<2xi8>; dense<[2, 3]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x4x!i8>, %input1: tensor<2x4xi32>, %init0: tensor<!i8>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<!i8>, %a1: tensor<i32>, %b0: tensor<!i8>, %b1: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      %v = "stablehlo.select"(%p, %a0, %b0) : (tensor<i1>, tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %i = "stablehlo.select"(%p, %a1, %b1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v, %i) : (tensor<!i8>, tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!i8>, tensor<2x4xi32>, tensor<!i8>, tensor<i32>) -> (tensor<2x!i8>, tensor<2xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2x!i8>, tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x4x!i8>, tensor<2x4xi32>, tensor<!i8>, tensor<i32>) -> (tensor<2x!i8>, tensor<2xi32>), sym_name = "main"} : () -> ()
}
