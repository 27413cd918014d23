// clause: rsqrt: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(0.56886446,-0.35157758), (0.047295086,-0.5714553), (0.91239,0.6576135), (0.5644089,-0.15633221), (0.48317662,0.7136678), (0.41487774,-0.4012789)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.rsqrt"(%arg0) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
