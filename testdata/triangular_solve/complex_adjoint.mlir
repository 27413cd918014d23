// clause: triangular_solve: TRANSPOSE and ADJOINT differ by conjugation
// Complex products and quotients of erratum E22.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(2.0,1.0),(9.0,9.0)],[(0.5,-3.0),(1.0,-0.25)]]> : tensor<2x2xcomplex<f32>>
// args: dense<[[(1.0,0.0)],[(2.0,-1.0)]]> : tensor<2x1xcomplex<f32>>
// expect: dense<[[(-0.77647066,-2.5058823)], [(1.6470588,-1.4117647)]]> : tensor<2x1xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<2x2xcomplex<f32>>, %arg1: tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    "func.return"(%0) : (tensor<2x1xcomplex<f32>>) -> ()
  }
}
