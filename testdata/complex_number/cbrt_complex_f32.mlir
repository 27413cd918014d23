// clause: cbrt: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(1.2196165,0.47171128), (0.792366,1.2129816), (0.8456639,-0.37395263), (1.405459,0.25595376), (0.87874264,-0.6686263), (1.2571898,0.7073386)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.cbrt"(%arg0) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
