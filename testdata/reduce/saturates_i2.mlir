// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1, 1, -2, 1, -2, -2], [-2, 1, 1, -2, -2, -2]]> : tensor<2x6xi2>
// args: dense<0> : tensor<i2>
// expect: dense<[-2, -2]> : tensor<2xi2>
// wrong (wrapped instead of saturated): dense<[1, -2]> : tensor<2xi2>
!i2 = !quant.uniform<i2:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i2>, %init: tensor<!i2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i2>, tensor<!i2>) -> tensor<!i2>
      "stablehlo.return"(%r0) : (tensor<!i2>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i2>, tensor<!i2>) -> tensor<2x!i2>
    "func.return"(%0) : (tensor<2x!i2>) -> ()
  }) {function_type = (tensor<2x6x!i2>, tensor<!i2>) -> tensor<2x!i2>, sym_name = "main"} : () -> ()
}
