// clause: quantize: NaN gives 0 clamped into the storage range (erratum E4)
// Partial sums become infinite with both signs; their sum is NaN, which is neither the zero point nor the
// bound.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-34, -30, -36, -24, -28, -24, -26]> : tensor<7xi8>
// args: dense<-30> : tensor<i8>
// expect: dense<[-50, -10, -10, -10]> : tensor<4xi8>
// wrong (NaN quantized to the zero point): dense<[-50, -30, -10, -10]> : tensor<4xi8>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-34, -30, -16, -20]> : tensor<4xi8>
!i8 = !quant.uniform<i8<-50:-10>:f16, 60000.0:-30>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
