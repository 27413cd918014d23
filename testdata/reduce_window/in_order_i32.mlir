// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-626475113, 1746795345, 1173488250, -1254595808, -1183310962, -762579996, 64827273]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[1746795345, -1254595808, -762579996, 0]> : tensor<4xi32>
// permitted (init value last; init value first and last): dense<[0, 0, 0, 0]> : tensor<4xi32>
// wrong (elements in descending order): dense<[0, 1746795345, -1254595808, -762579996]> : tensor<4xi32>
// wrong (padding left out, as XLA): dense<[1746795345, -1254595808, -762579996, 64827273]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      "stablehlo.return"(%b0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<7xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}
