// clause: quantize: NaN gives 0 clamped into the storage range (erratum E4)
// Partial sums become infinite with both signs; their sum is NaN, which is neither the zero point nor the
// bound.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1, 5, 3, 9, 7, 3], [3, 6, 10, 9, 0, -1]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-128, -128]> : tensor<2xi8>
// wrong (NaN quantized to the zero point): dense<[5, -128]> : tensor<2xi8>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[3, 2]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f16, 60000.0:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
