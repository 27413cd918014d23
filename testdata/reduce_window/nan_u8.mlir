// clause: quantize: NaN gives 0 clamped into the storage range (erratum E4)
// Partial sums become infinite with both signs; their sum is NaN, which is neither the zero point nor the
// bound.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[124, 122, 130, 133, 128, 125, 124]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[0, 0, 0, 0]> : tensor<4xui8>
// wrong (NaN quantized to the zero point): dense<[0, 255, 128, 0]> : tensor<4xui8>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[118, 129, 130, 121]> : tensor<4xui8>
!u8 = !quant.uniform<u8:f16, 60000.0:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u8>
    "func.return"(%0) : (tensor<4x!u8>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u8>, sym_name = "main"} : () -> ()
}
