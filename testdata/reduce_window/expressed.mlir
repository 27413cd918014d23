// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[13, 0, -17, -115, 7, -105, 20]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[30, -463, -732, -296]> : tensor<4xi16>
// wrong (f16 computed as f32; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[30, -463, -733, -296]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-2, -150, -231, -100]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f16, 0.1:3>
!i16 = !quant.uniform<i16:f16, 0.03:7>
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
