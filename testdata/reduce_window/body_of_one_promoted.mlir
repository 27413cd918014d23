// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[1, 4, -2, -2, -1, -2]> : tensor<6xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[46, 46, 46, 46]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r = "stablehlo.add"(%a0, %a0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<6x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
