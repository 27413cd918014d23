// clause: reduce_precision: round the mantissa, then overflow to infinity and underflow to zero (erratum E26)
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7C00, 0xFC00, 0x7E00, 0.1, 2048.0, 6.55e+04, -6.0e-08, 7.25, 17.0, 18.0, 19.0, 0.01, 2.4e+02, 248.0, 0x7C00, 3.0, 6.0, -3.0, 1.0625, 1.1875]> : tensor<27xf16>
// expect: dense<[0.0, -0.0, 1.0, -2.0, 2.0, -0.5, 4.0, 0x7C00, 0xFC00, 0x7C00, 0.0, 0x7C00, 0x7C00, -0.0, 8.0, 0x7C00, 0x7C00, 0x7C00, 0.0, 0x7C00, 0x7C00, 0x7C00, 4.0, 8.0, -4.0, 1.0, 1.0]> : tensor<27xf16>
module {
  func.func @main(%arg0: tensor<27xf16>) -> tensor<27xf16> {
    %r0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 3 : i32, mantissa_bits = 0 : i32} : (tensor<27xf16>) -> tensor<27xf16>
    "func.return"(%r0) : (tensor<27xf16>) -> ()
  }
}
