// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.0,0.0), (0.0,1.0), (-2.0,-0.0), (4.0,-3.0), (0x7F800000,1.0), (0.0,-1.0)]> : tensor<8xcomplex<f32>>
// expect: dense<[1.0, -3.0, 0.0, 0.0, -2.0, 4.0, 0x7F800000, 0.0]> : tensor<8xf32>
module {
  func.func @main(%arg0: tensor<8xcomplex<f32>>) -> tensor<8xf32> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    "func.return"(%r0) : (tensor<8xf32>) -> ()
  }
}
