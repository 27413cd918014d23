// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-850, -880, -845, -897, 778, 943, -942]> : tensor<7xi16>
// args: dense<[-763, 920, 854, -790, -773, -917, 764]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[-763, 0, 1000, 0, -790, -236, 0]> : tensor<7xi16>
// permitted (balanced): dense<[-763, 0, 1000, 0, -790, -926, 0]> : tensor<7xi16>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[-763, 0, 1774, 0, -790, -926, 0]> : tensor<7xi16>
!i16 = !quant.uniform<i16<-1000:1000>:f32, 0.1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}
