// clause: complex: real and imaginary part
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.1, 9007199254740992.0, 1.0e+200, -1.0e-90, 7.25]> : tensor<15xf64>
// args: dense<[7.25, -1.0e-90, 1.0e+200, 9007199254740992.0, 0.1, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 3.0, -0.5, 2.5, -1.5, 1.0, -0.0, 0.0]> : tensor<15xf64>
// expect: dense<[(0.0,7.25), (-0.0,-1.0e-90), (1.0,1.0e+200), (-1.5,9007199254740992.0), (2.5,0.1), (-0.5,0x7FF8000000000000), (3.0,0xFFF0000000000000), (0x7FF0000000000000,0x7FF0000000000000), (0xFFF0000000000000,3.0), (0x7FF8000000000000,-0.5), (0.1,2.5), (9007199254740992.0,-1.5), (1.0e+200,1.0), (-1.0e-90,-0.0), (7.25,0.0)]> : tensor<15xcomplex<f64>>
module {
  func.func @main(%arg0: tensor<15xf64>, %arg1: tensor<15xf64>) -> tensor<15xcomplex<f64>> {
    %r0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<15xf64>, tensor<15xf64>) -> tensor<15xcomplex<f64>>
    "func.return"(%r0) : (tensor<15xcomplex<f64>>) -> ()
  }
}
