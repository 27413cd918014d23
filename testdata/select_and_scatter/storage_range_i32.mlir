// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[96, -76, -100, 88, 88, -85, 89]> : tensor<7xi32>
// args: dense<[89, -99, -93, -98, 99, 94, 93]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[-10, 0, 0, -1, 0, 0, 100]> : tensor<7xi32>
// permitted (balanced): dense<[-10, 0, 0, -92, 0, 0, 100]> : tensor<7xi32>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-10, 0, 0, -92, 0, 0, 187]> : tensor<7xi32>
!i32 = !quant.uniform<i32<-100:100>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i32>, %source: tensor<7x!i32>, %init_value: tensor<!i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i32>, tensor<!i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}
