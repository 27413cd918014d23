// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1463305921, 2078491583, 1474990669, 1642087549, 1801811952, 1798170444, 1804952272]> : tensor<7xi32>
// args: dense<[1826351432, 1293863410, 1939511702, 1522461107, 2146955862, 1670616089, 2004795152]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[0, 764759248, 0, 0, -625550327, 0, -619556055]> : tensor<7xi32>
// wrong (saturated instead of wrapped): dense<[0, 2147483647, 0, 0, 2147483647, 0, 2147483647]> : tensor<7xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi32>, %source: tensor<7xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi32>, tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    "func.return"(%0) : (tensor<7xi32>) -> ()
  }) {function_type = (tensor<7xi32>, tensor<7xi32>, tensor<i32>) -> tensor<7xi32>, sym_name = "main"} : () -> ()
}
