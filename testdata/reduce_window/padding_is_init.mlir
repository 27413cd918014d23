// clause: reduce_window: padding is made of init values (erratum E10)
// Init is 5, so padding counts.
// derivation: by hand: 5+5+1, 5+1+2, 5+2+5.
// args: dense<[1, 2]> : tensor<2xi32>
// args: dense<5> : tensor<i32>
// expect: dense<[11, 8, 12]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[16, 13, 17]> : tensor<3xi32>
// permitted (init value before every element): dense<[21, 18, 22]> : tensor<3xi32>
// wrong (zeros, and no init value): dense<[1, 3, 2]> : tensor<3xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) {function_type = (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>, sym_name = "main"} : () -> ()
}
