// clause: imag: a real number has the imaginary part 0
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 16777216.0, 3.4028235e+38, -1.0e-30, 7.25, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.49999997, 8388609.0, -0.0, 1.0e+10, 0x7F800000, 0x7FC00000]> : tensor<28xf32>
// expect: dense<0.0> : tensor<28xf32>
module {
  func.func @main(%arg0: tensor<28xf32>) -> tensor<28xf32> {
    %r0 = "stablehlo.imag"(%arg0) : (tensor<28xf32>) -> tensor<28xf32>
    "func.return"(%r0) : (tensor<28xf32>) -> ()
  }
}
