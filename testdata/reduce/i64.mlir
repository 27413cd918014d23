// clause: i64 has 64 bits
// JAX narrows 64-bit integers unless told otherwise.
// derivation: by hand: 2^40 + 1.
// args: dense<[1099511627776, 1]> : tensor<2xi64>
// args: dense<0> : tensor<i64>
// expect: dense<1099511627777> : tensor<i64>
// wrong (narrowed to i32): dense<1> : tensor<i64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xi64>, %init: tensor<i64>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%r0) : (tensor<i64>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    "func.return"(%0) : (tensor<i64>) -> ()
  }) {function_type = (tensor<2xi64>, tensor<i64>) -> tensor<i64>, sym_name = "main"} : () -> ()
}
