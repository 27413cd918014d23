// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-5, -5, 5], [5, 1, 5], [0, -1, 1]], [[-2, 2, 5], [-2, 4, 1], [2, 0, 0]], [[2, -5, 1], [-5, -2, -4], [3, -2, 4]]]> : tensor<3x3x3xi32>
// args: dense<[[[-4, -5, -3], [-2, -4, -4], [2, 2, 0]], [[3, 5, -4], [1, -1, -4], [-2, 2, -2]], [[2, -2, -5], [-1, 2, -2], [-1, 0, -4]]]> : tensor<3x3x3xi32>
// args: dense<-3> : tensor<i32>
// args: dense<-5> : tensor<i32>
// expect: dense<[[[675, 135, 1875, 135, -675], [0, -81, 0, -81, 81]], [[-108, -216, -60, -216, -135], [162, 0, 0, 0, 0]], [[270, -270, -120, -270, 108], [243, -162, -324, -162, 324]]]> : tensor<3x2x5xi32>
// expect: dense<[[[783, 156, 2536, 202, -1178], [28, -62, 28, -224, 100]], [[-91, -321, -125, -122, -239], [172, 28, -8, -89, 19]], [[354, -300, -258, -455, 301], [271, -170, -602, -305, 613]]]> : tensor<3x2x5xi32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<3x3x3xi32>, %input1: tensor<3x3x3xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 1>, base_dilations = array<i64: 1, 1, 1>, window_dilations = array<i64: 2, 1, 2>, padding = dense<[[0, 0], [0, 2], [2, 2]]> : tensor<3x2xi64>} : (tensor<3x3x3xi32>, tensor<3x3x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3x2x5xi32>, tensor<3x2x5xi32>)
    "func.return"(%0#0, %0#1) : (tensor<3x2x5xi32>, tensor<3x2x5xi32>) -> ()
  }) {function_type = (tensor<3x3x3xi32>, tensor<3x3x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3x2x5xi32>, tensor<3x2x5xi32>), sym_name = "main"} : () -> ()
}
