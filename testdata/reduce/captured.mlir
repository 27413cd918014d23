// clause: the body may capture values
// A floor from outside of the body keeps partial sums from falling.
// derivation: by hand: 0 - 5 is raised to 0, three times.
// args: dense<[-7, -7, -7]> : tensor<3xi8>
// args: dense<3> : tensor<i8>
// args: dense<3> : tensor<i8>
// expect: dense<3> : tensor<i8>
// wrong (captured value ignored): dense<-27> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!i8>, %init: tensor<!i8>, %c0: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %s = "stablehlo.maximum"(%r, %c0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%s) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x!i8>, tensor<!i8>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<!i8>, tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}
