// clause: log: exact where the value is a number, limits at infinity, NaN outside of the domain
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0, 0.0, 0x7F800000, -1.0, 0x7FC00000]> : tensor<5xf32>
// expect: dense<[0.0, 0xFF800000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
module {
  func.func @main(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %r0 = "stablehlo.log"(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%r0) : (tensor<5xf32>) -> ()
  }
}
