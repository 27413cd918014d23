// clause: reduce_window: complex numbers, padding with the init value
// The init value has an imaginary part, and stands where the padding is, too.
// derivation: by hand: i + i + (1 + 2i), and i + (1 + 2i) + (3 + 4i).
// args: dense<[(1.0,2.0), (3.0,4.0)]> : tensor<2xcomplex<f32>>
// args: dense<(0.0,1.0)> : tensor<complex<f32>>
// expect: dense<[(1.0,4.0), (4.0,7.0)]> : tensor<2xcomplex<f32>>
// permitted (init value twice; init value first and last): dense<[(1.0,5.0), (4.0,8.0)]> : tensor<2xcomplex<f32>>
// permitted (init value before every element): dense<[(1.0,6.0), (4.0,9.0)]> : tensor<2xcomplex<f32>>
// wrong (parts swapped): dense<[(4.0,1.0), (7.0,4.0)]> : tensor<2xcomplex<f32>>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xcomplex<f32>>, %init: tensor<complex<f32>>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%r0) : (tensor<complex<f32>>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    "func.return"(%0) : (tensor<2xcomplex<f32>>) -> ()
  }) {function_type = (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>, sym_name = "main"} : () -> ()
}
