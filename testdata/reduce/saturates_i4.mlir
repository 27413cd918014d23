// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-7, 5, -7, -7, 5, -8], [-8, 5, 7, -6, -8, 5]]> : tensor<2x6xi4>
// args: dense<-1> : tensor<i4>
// expect: dense<[-8, 0]> : tensor<2xi4>
// permitted (balanced): dense<[-8, -1]> : tensor<2xi4>
// wrong (wrapped instead of saturated): dense<[2, 0]> : tensor<2xi4>
!i4 = !quant.uniform<i4:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i4>
    "func.return"(%0) : (tensor<2x!i4>) -> ()
  }) {function_type = (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i4>, sym_name = "main"} : () -> ()
}
