// clause: real: of the number, not of its parts (erratum E22)
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(3.0,4.0), (-5.0,12.0), (0.0,0.0), (-0.0,2.0), (0x7F800000,-1.0), (1.0,1.0), (0.1,0.2), (-2.0,0.0)]> : tensor<8xcomplex<f32>>
// expect: dense<[3.0, -5.0, 0.0, -0.0, 0x7F800000, 1.0, 0.1, -2.0]> : tensor<8xf32>
module {
  func.func @main(%arg0: tensor<8xcomplex<f32>>) -> tensor<8xf32> {
    %r0 = "stablehlo.real"(%arg0) : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    "func.return"(%r0) : (tensor<8xf32>) -> ()
  }
}
