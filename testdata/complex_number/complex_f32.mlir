// clause: complex: real and imaginary part
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 16777216.0, 3.4028235e+38, -1.0e-30, 7.25]> : tensor<15xf32>
// args: dense<[7.25, -1.0e-30, 3.4028235e+38, 16777216.0, 0.1, 0x7FC00000, 0xFF800000, 0x7F800000, 3.0, -0.5, 2.5, -1.5, 1.0, -0.0, 0.0]> : tensor<15xf32>
// expect: dense<[(0.0,7.25), (-0.0,-1.0e-30), (1.0,3.4028235e+38), (-1.5,16777216.0), (2.5,0.1), (-0.5,0x7FC00000), (3.0,0xFF800000), (0x7F800000,0x7F800000), (0xFF800000,3.0), (0x7FC00000,-0.5), (0.1,2.5), (16777216.0,-1.5), (3.4028235e+38,1.0), (-1.0e-30,-0.0), (7.25,0.0)]> : tensor<15xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<15xf32>, %arg1: tensor<15xf32>) -> tensor<15xcomplex<f32>> {
    %r0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<15xf32>, tensor<15xf32>) -> tensor<15xcomplex<f32>>
    "func.return"(%r0) : (tensor<15xcomplex<f32>>) -> ()
  }
}
