// clause: batch_norm_grad: the specification's composition, each operation rounded
// The operand's gradient subtracts what all elements of the feature share.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1.0,2.0,-3.0],[3.0,2.5,4.0]]> : tensor<2x3xf16>
// args: dense<[1.0,2.0,0.3]> : tensor<3xf16>
// args: dense<[2.0,2.25,0.5]> : tensor<3xf16>
// args: dense<[1.0,0.0625,12.25]> : tensor<3xf16>
// args: dense<[[0.1,-0.2,1.0],[0.3,0.5,2.0]]> : tensor<2x3xf16>
// expect: dense<[[-6.104e-05, -0.04263, 0.0], [0.0001831, 0.04263, 0.0]]> : tensor<2x3xf16>
// expect: dense<[0.2001, 0.6943, 1.0]> : tensor<3xf16>
// expect: dense<[0.4, 0.3, 3.0]> : tensor<3xf16>
module {
  func.func @main(%arg0: tensor<2x3xf16>, %arg1: tensor<3xf16>, %arg2: tensor<3xf16>, %arg3: tensor<3xf16>, %arg4: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>) {
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>) -> ()
  }
}
