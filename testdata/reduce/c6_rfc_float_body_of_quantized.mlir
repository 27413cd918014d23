// (C6) in the RFC: rows (A), (F) and (G) only (erratum E15).
// expect: violation reduce_c6 (rfc)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
