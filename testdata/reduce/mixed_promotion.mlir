// clause: to_destination_type: each operand by its own types
// A quantized operand is converted to another scale while an integer one is widened and a float one stays.
// derivation: by hand: 1.0 + 2.0 + 50.0 in steps of 0.25; 300; 1.75.
// args: dense<[5, 7, 103]> : tensor<3xi8>
// args: dense<[100, 100, 100]> : tensor<3xi8>
// args: dense<[0.5, 0.25, 1.0]> : tensor<3xf32>
// args: dense<3> : tensor<i8>
// args: dense<0> : tensor<i8>
// args: dense<0.0> : tensor<f32>
// expect: dense<212> : tensor<i32>
// expect: dense<300> : tensor<i32>
// expect: dense<1.75> : tensor<f32>
// wrong (stored integers): dense<115> : tensor<i32>; dense<300> : tensor<i32>; dense<1.75> : tensor<f32>
// wrong (i8 accumulator): dense<212> : tensor<i32>; dense<44> : tensor<i32>; dense<1.75> : tensor<f32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<3x!i8>, %input1: tensor<3xi8>, %input2: tensor<3xf32>, %init0: tensor<!i8>, %init1: tensor<i8>, %init2: tensor<f32>):
    %0:3 = "stablehlo.reduce"(%input0, %input1, %input2, %init0, %init1, %init2) ({
    ^bb0(%a0: tensor<!i32>, %a1: tensor<i32>, %a2: tensor<f32>, %b0: tensor<!i32>, %b1: tensor<i32>, %b2: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      %r1 = "stablehlo.add"(%a1, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %r2 = "stablehlo.add"(%a2, %b2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0, %r1, %r2) : (tensor<!i32>, tensor<i32>, tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x!i8>, tensor<3xi8>, tensor<3xf32>, tensor<!i8>, tensor<i8>, tensor<f32>) -> (tensor<!i32>, tensor<i32>, tensor<f32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<!i32>, tensor<i32>, tensor<f32>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<3xi8>, tensor<3xf32>, tensor<!i8>, tensor<i8>, tensor<f32>) -> (tensor<!i32>, tensor<i32>, tensor<f32>), sym_name = "main"} : () -> ()
}
