// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[112, -15], [-73, 8], [61, -76], [-54, -45], [-7, 47], [79, -11], [-29, 61], [-8, -41], [-49, 53], [9, 31], [-122, -62], [-25, 46], [-1, -108], [47, -56], [10, -85], [-58, 96], [-91, 14], [9, -86], [5, 48]]> : tensor<19x2xi8>
// args: dense<-43> : tensor<i8>
// expect: dense<[-126, -106]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i8_b = !quant.uniform<i8:f32, 0.7:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8_b>
    "func.return"(%0) : (tensor<2x!i8_b>) -> ()
  }) {function_type = (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8_b>, sym_name = "main"} : () -> ()
}
