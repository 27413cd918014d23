// clause: log: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(0.804719,1.1071488), (1.1123117,2.976444), (-0.23500182,-1.2490457), (1.0700331,0.5404195), (0.29735357,-1.9513026), (1.0991676,1.5374753)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.log"(%arg0) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
