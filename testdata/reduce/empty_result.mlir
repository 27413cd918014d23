// clause: reduce: a result without elements
// A kept dimension of size zero: there is nothing to compute.
// derivation: by hand: the result has shape (0).
// args: dense<> : tensor<0x3xi8>
// args: dense<3> : tensor<i8>
// expect: dense<> : tensor<0xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<0x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<0x3x!i8>, tensor<!i8>) -> tensor<0x!i8>
    "func.return"(%0) : (tensor<0x!i8>) -> ()
  }) {function_type = (tensor<0x3x!i8>, tensor<!i8>) -> tensor<0x!i8>, sym_name = "main"} : () -> ()
}
