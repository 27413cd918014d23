// clause: complex numbers add part by part
// Three numbers and zero.
// derivation: by hand: 1 + 3 - 2 and 2 + 4 + 1.
// args: dense<[(1.0,2.0), (3.0,4.0), (-2.0,1.0)]> : tensor<3xcomplex<f32>>
// args: dense<(0.0,0.0)> : tensor<complex<f32>>
// expect: dense<(2.0,7.0)> : tensor<complex<f32>>
// wrong (the conjugate): dense<(2.0,-7.0)> : tensor<complex<f32>>
// wrong (parts swapped): dense<(7.0,2.0)> : tensor<complex<f32>>
// wrong (the real part alone): dense<(2.0,0.0)> : tensor<complex<f32>>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xcomplex<f32>>, %init: tensor<complex<f32>>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%r0) : (tensor<complex<f32>>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "func.return"(%0) : (tensor<complex<f32>>) -> ()
  }) {function_type = (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>, sym_name = "main"} : () -> ()
}
