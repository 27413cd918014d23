// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<16777219> : tensor<i32>
// expect: dense<[33554444, 16777230, 16777226, 33554440]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.1>
!i32 = !quant.uniform<i32:f32, 0.1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<3x!i8>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
