// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-99, -89, -77, 94, 89, -84, 83]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[-100, -6, 16, -1]> : tensor<4xi32>
// permitted (balanced): dense<[-100, -72, 99, -1]> : tensor<4xi32>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-188, -72, 99, -1]> : tensor<4xi32>
!i32 = !quant.uniform<i32<-100:100>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
