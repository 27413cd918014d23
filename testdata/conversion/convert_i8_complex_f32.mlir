// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127, 0, 1, -1, 2, 3, 127, -128]> : tensor<21xi8>
// expect: dense<[(-128.0,0.0), (-127.0,0.0), (-7.0,0.0), (-3.0,0.0), (-2.0,0.0), (-1.0,0.0), (0.0,0.0), (1.0,0.0), (2.0,0.0), (3.0,0.0), (7.0,0.0), (8.0,0.0), (126.0,0.0), (127.0,0.0), (0.0,0.0), (1.0,0.0), (-1.0,0.0), (2.0,0.0), (3.0,0.0), (127.0,0.0), (-128.0,0.0)]> : tensor<21xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<21xi8>) -> tensor<21xcomplex<f32>> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<21xi8>) -> tensor<21xcomplex<f32>>
    "func.return"(%r0) : (tensor<21xcomplex<f32>>) -> ()
  }
}
