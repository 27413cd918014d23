// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[105, -79, 73, -99, 73, -18, 90]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[26, -104, -44, 72]> : tensor<4xi8>
// wrong (bf16 computed as f32; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[26, -105, -44, 72]> : tensor<4xi8>
!i8 = !quant.uniform<i8:bf16, 0.3>
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
