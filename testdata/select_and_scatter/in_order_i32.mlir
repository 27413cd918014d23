// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-626475113, 1746795345, 1173488250, -1254595808, -1183310962, -762579996, 64827273]> : tensor<7xi32>
// args: dense<[661080851, 2023487460, 1438639953, -2033674672, 199378841, 598827668, 441080911]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[0, 1438639953, -2033674672, 0, 0, 199378841, 441080911]> : tensor<7xi32>
// permitted (init value last; init value first and last): dense<[0, 0, 0, 0, 0, 0, 0]> : tensor<7xi32>
// wrong (elements in descending order): dense<[0, 661080851, -2033674672, 0, 0, 199378841, 598827668]> : tensor<7xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi32>, %source: tensor<7xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      "stablehlo.return"(%b0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi32>, tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    "func.return"(%0) : (tensor<7xi32>) -> ()
  }) {function_type = (tensor<7xi32>, tensor<7xi32>, tensor<i32>) -> tensor<7xi32>, sym_name = "main"} : () -> ()
}
