// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-2, 4, 6, 7, 2], [1, 0, 4, 5, 3]]> : tensor<2x5xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[10, 2]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r = "stablehlo.maximum"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      %s = "stablehlo.minimum"(%r, %a0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      %t = "stablehlo.add"(%s, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%t) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x5x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
