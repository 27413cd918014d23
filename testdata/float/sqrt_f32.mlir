// clause: sqrt: correctly rounded; of a negative number NaN, of -0 itself
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 16777216.0, 3.4028235e+38, -1.0e-30, 7.25, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.49999997, 8388609.0, -0.0, 1.0e+10, 0x7F800000, 0x7FC00000]> : tensor<28xf32>
// expect: dense<[0.0, -0.0, 1.0, 0x7FC00000, 1.5811388, 0x7FC00000, 1.7320508, 0x7F800000, 0x7FC00000, 0x7FC00000, 0.31622776, 4096.0, 1.8446743e+19, 0x7FC00000, 2.6925824, 0.70710677, 0x7FC00000, 1.2247449, 0x7FC00000, 1.5811388, 0x7FC00000, 0.70710677, 0x7FC00000, 2896.3096, -0.0, 1.0e+05, 0x7F800000, 0x7FC00000]> : tensor<28xf32>
module {
  func.func @main(%arg0: tensor<28xf32>) -> tensor<28xf32> {
    %r0 = "stablehlo.sqrt"(%arg0) : (tensor<28xf32>) -> tensor<28xf32>
    "func.return"(%r0) : (tensor<28xf32>) -> ()
  }
}
