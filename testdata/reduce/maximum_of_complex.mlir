// clause: maximum: lexicographic for complex numbers
// The real part decides, of equal ones the imaginary part.
// derivation: by hand: 2 > 1, and of (2, 1) and (2, 3) the second.
// args: dense<[(2.0,1.0), (2.0,3.0), (1.0,9.0)]> : tensor<3xcomplex<f32>>
// args: dense<(-9.0,0.0)> : tensor<complex<f32>>
// expect: dense<(2.0,3.0)> : tensor<complex<f32>>
// wrong (part by part): dense<(2.0,9.0)> : tensor<complex<f32>>
// wrong (by magnitude): dense<(1.0,9.0)> : tensor<complex<f32>>
// wrong (the first of equal real parts): dense<(2.0,1.0)> : tensor<complex<f32>>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xcomplex<f32>>, %init: tensor<complex<f32>>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%r0) : (tensor<complex<f32>>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "func.return"(%0) : (tensor<complex<f32>>) -> ()
  }) {function_type = (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>, sym_name = "main"} : () -> ()
}
