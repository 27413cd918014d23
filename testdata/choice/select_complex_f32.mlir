// clause: select: pred ? on_true : on_false
// Each element by its own predicate, or all by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[true, false, false, true, false, true]> : tensor<6xi1>
// args: dense<[(-3.0,1.0), (1.0,-1.0), (4.0,-2.0), (1.0,4.0), (-2.0,2.0), (4.0,0.0)]> : tensor<6xcomplex<f32>>
// args: dense<[(-3.0,2.0), (1.0,-3.0), (4.0,1.0), (4.0,3.0), (-2.0,1.0), (-3.0,-1.0)]> : tensor<6xcomplex<f32>>
// expect: dense<[(-3.0,1.0), (1.0,-3.0), (4.0,1.0), (1.0,4.0), (-2.0,1.0), (4.0,0.0)]> : tensor<6xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<6xi1>, %arg1: tensor<6xcomplex<f32>>, %arg2: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
    %r0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<6xi1>, tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%r0) : (tensor<6xcomplex<f32>>) -> ()
  }
}
