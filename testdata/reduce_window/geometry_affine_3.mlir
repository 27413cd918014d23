// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-1, -4, -3, -2, 5]> : tensor<5xi32>
// args: dense<[4, -1, 1, 4, -1]> : tensor<5xi32>
// args: dense<-4> : tensor<i32>
// args: dense<5> : tensor<i32>
// expect: dense<[16, 16, 16, 16, 16]> : tensor<5xi32>
// expect: dense<[-15, -15, -15, -15, -15]> : tensor<5xi32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<5xi32>, %input1: tensor<5xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 3>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>)
    "func.return"(%0#0, %0#1) : (tensor<5xi32>, tensor<5xi32>) -> ()
  }) {function_type = (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>), sym_name = "main"} : () -> ()
}
