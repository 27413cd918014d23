// clause: quantize: NaN gives 0 clamped into the storage range (erratum E4)
// Partial sums become infinite with both signs; their sum is NaN, which is neither the zero point nor the
// bound.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 10, 0, -1, -1, 11, 3]> : tensor<7xi8>
// args: dense<[10, 4, 10, 8, 8, 3, 7]> : tensor<7xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[5, 127, 127, 5, 5, 0, 5]> : tensor<7xi8>
// permitted (init value last; init value first and last): dense<[5, 127, 127, 5, 5, -128, 5]> : tensor<7xi8>
// wrong (NaN quantized to the zero point): dense<[5, 127, 127, 5, 5, 127, 5]> : tensor<7xi8>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[5, 14, 8, 5, 5, 8, 5]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f16, 60000.0:5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}
