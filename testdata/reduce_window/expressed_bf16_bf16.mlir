// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-40, 22, -55, 63, 12, 4, -77]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-40, 25, 95, -118]> : tensor<4xi16>
// wrong (bf16 computed as f32): dense<[-39, 25, 95, -118]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[3, 48, 97, -52]> : tensor<4xi16>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-40, 25, 95, -119]> : tensor<4xi16>
!i8 = !quant.uniform<i8:bf16, 0.1:3>
!i16 = !quant.uniform<i16:bf16, 0.07:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
