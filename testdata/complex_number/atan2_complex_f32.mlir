// clause: atan2: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// args: dense<[(0.5,0.25), (2.0,-1.0), (1.5,0.75), (-1.0,2.0), (0.75,-0.3), (3.0,1.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(1.3691556,0.1451185), (-0.9433833,-0.14422184), (-0.084889136,-0.5024404), (1.4316465,-0.99257296), (-1.5707964,-0.6931472), (0.7109532,0.8537873)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>, %arg1: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
