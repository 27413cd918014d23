// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2, -5, 4, 0, 5, 0, -3, -3, -3, -1, -3, -2, -2, 2, -2, -5, 1]> : tensor<17xi8>
// args: dense<-1> : tensor<i8>
// expect: dense<5> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<17x!i8>, tensor<!i8>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<17x!i8>, tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}
