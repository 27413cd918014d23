// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1463305921, 2078491583, 1474990669, 1642087549, 1801811952, 1798170444], [1804952272, 1826351432, 1293863410, 1939511702, 1522461107, 2146955862]]> : tensor<2x6xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[1668923526, 1944161193]> : tensor<2xi32>
// wrong (saturated instead of wrapped): dense<[2147483647, 2147483647]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x6xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}
