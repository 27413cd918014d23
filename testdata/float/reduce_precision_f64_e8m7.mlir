// clause: reduce_precision: round the mantissa, then overflow to infinity and underflow to zero (erratum E26)
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.1, 9007199254740992.0, 1.0e+200, -1.0e-90, 7.25, 17.0, 18.0, 19.0, 0.01, 2.4e+02, 248.0, 6.552e+04, 3.0, 6.0, -3.0, 1.0625, 1.1875]> : tensor<27xf64>
// expect: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.10009765625, 9007199254740992.0, 0x7FF0000000000000, -0.0, 7.25, 17.0, 18.0, 19.0, 0.010009765625, 2.4e+02, 248.0, 65536.0, 3.0, 6.0, -3.0, 1.0625, 1.1875]> : tensor<27xf64>
module {
  func.func @main(%arg0: tensor<27xf64>) -> tensor<27xf64> {
    %r0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32} : (tensor<27xf64>) -> tensor<27xf64>
    "func.return"(%r0) : (tensor<27xf64>) -> ()
  }
}
