// clause: cosine: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(2.032723,-3.0518978), (-1.1163412,0.07353698), (1.2544347,0.20344442), (-1.8846179,-1.2743144), (1.6572479,-0.7680009), (10.017365,-1.0001187)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.cosine"(%arg0) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
