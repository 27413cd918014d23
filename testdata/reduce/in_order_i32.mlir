// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-626475113, 1746795345, 1173488250, -1254595808, -1183310962, -762579996], [64827273, 661080851, 2023487460, 1438639953, -2033674672, 199378841]]> : tensor<2x6xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[-762579996, 199378841]> : tensor<2xi32>
// permitted (init value last; init value first and last): dense<[0, 0]> : tensor<2xi32>
// wrong (elements in descending order): dense<[-626475113, 64827273]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      "stablehlo.return"(%b0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x6xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}
