// clause: to_destination_type: dequantize, then quantize, each operation rounded
// One merged scale rounds elsewhere: some elements are off by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 31, 65, -35, -91, -107, 116]> : tensor<7xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<[16, 95, -54, 4]> : tensor<4xi16>
// wrong (converted with one merged scale, as StableHLO's passes): dense<[16, 94, -54, 4]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[160, 317, 23, 137]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f32, 0.1:-128>
!i16 = !quant.uniform<i16:f32, 0.2:-128>
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
