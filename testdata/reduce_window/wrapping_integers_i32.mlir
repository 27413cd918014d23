// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1463305921, 2078491583, 1474990669, 1642087549, 1801811952, 1798170444, 1804952272]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[-753169792, 900602505, 947102649, -691844580]> : tensor<4xi32>
// wrong (saturated instead of wrapped): dense<[2147483647, 2147483647, 2147483647, 2147483647]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<7xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}
