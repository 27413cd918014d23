// clause: power: of complex numbers, both parts rounded once (erratum E32)
// Every quadrant; the principal value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0), (-3.0,0.5), (0.25,-0.75), (2.5,1.5), (-0.5,-1.25), (0.1,3.0)]> : tensor<6xcomplex<f32>>
// args: dense<[(0.5,0.25), (2.0,-1.0), (1.5,0.5), (-1.0,2.0), (0.75,-0.3), (3.0,1.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(0.82590324,0.77677524), (23.197947,-179.97697), (-0.53555936,-1.1983865), (-0.0033572118,0.116334185), (0.012606496,-0.6959067), (4.8886313,-3.1444488)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xcomplex<f32>>, %arg1: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
