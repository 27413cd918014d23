// clause: reduce_precision: round the mantissa, then overflow to infinity and underflow to zero (erratum E26)
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 16777216.0, 3.4028235e+38, -1.0e-30, 7.25, 17.0, 18.0, 19.0, 0.01, 2.4e+02, 248.0, 6.552e+04, 3.0, 6.0, -3.0, 1.0625, 1.1875]> : tensor<27xf32>
// expect: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.0, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 0x7F800000, 0x7F800000, -0.0, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0.0, 0x7F800000, 0x7F800000, 0x7F800000, 3.0, 0x7F800000, -3.0, 1.0625, 1.1875]> : tensor<27xf32>
module {
  func.func @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %r0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 2 : i32, mantissa_bits = 23 : i32} : (tensor<27xf32>) -> tensor<27xf32>
    "func.return"(%r0) : (tensor<27xf32>) -> ()
  }
}
