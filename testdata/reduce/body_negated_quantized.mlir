// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[8, 1, 6, 6, 3], [0, 7, 1, 5, 6]]> : tensor<2x5xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[-5, 10]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %s = "stablehlo.negate"(%r) : (tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%s) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x5x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
