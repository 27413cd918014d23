// A quantized value and an integer together.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x3x!i8>, %input1: tensor<2x3xi32>, %init0: tensor<!i8>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<i32>, %c: tensor<!i8>, %d: tensor<i32>):
      %r0 = "stablehlo.add"(%a, %c) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %r1 = "stablehlo.add"(%b, %d) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0, %r1) : (tensor<!i8>, tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<2x3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<2x!i8>, tensor<2xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2x!i8>, tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<2x3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<2x!i8>, tensor<2xi32>), sym_name = "main"} : () -> ()
}
