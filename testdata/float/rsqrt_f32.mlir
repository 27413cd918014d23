// clause: rsqrt: exact where the value is a number, limits at infinity, NaN outside of the domain
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4.0, 0.25, 1.0, 0.0, -0.0, 0x7F800000, -1.0, 0x7FC00000]> : tensor<8xf32>
// expect: dense<[0.5, 2.0, 1.0, 0x7F800000, 0xFF800000, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
module {
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %r0 = "stablehlo.rsqrt"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%r0) : (tensor<8xf32>) -> ()
  }
}
