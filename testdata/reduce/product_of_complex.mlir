// clause: complex numbers multiply as such (erratum E22)
// Small integers, exact in any order.
// derivation: by hand: 1 * 3 - 2 * 4 and 1 * 4 + 2 * 3.
// args: dense<[(1.0,2.0), (3.0,4.0)]> : tensor<2xcomplex<f32>>
// args: dense<(1.0,0.0)> : tensor<complex<f32>>
// expect: dense<(-5.0,1.0e+01)> : tensor<complex<f32>>
// wrong (part by part): dense<(3.0,8.0)> : tensor<complex<f32>>
// wrong (one factor conjugated): dense<(11.0,-2.0)> : tensor<complex<f32>>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xcomplex<f32>>, %init: tensor<complex<f32>>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%r0) : (tensor<complex<f32>>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "func.return"(%0) : (tensor<complex<f32>>) -> ()
  }) {function_type = (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>, sym_name = "main"} : () -> ()
}
