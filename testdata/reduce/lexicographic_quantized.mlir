// clause: exec(schedule): elements in ascending lexicographic order of their indices
// Affine maps over quantized numbers of scale 1 that nothing rounds.
// derivation: by hand: as listed in ascending order, however `dimensions` is written.
// args: dense<[[2, 3], [1, 2]]> : tensor<2x2xi8>
// args: dense<[[1, 0], [5, 2]]> : tensor<2x2xi8>
// args: dense<1> : tensor<i8>
// args: dense<0> : tensor<i8>
// expect: dense<12> : tensor<i16>
// expect: dense<18> : tensor<i16>
// wrong (in the order of dimensions): dense<12> : tensor<i16>; dense<38> : tensor<i16>
!i8 = !quant.uniform<i8:f32, 1.0>
!i16 = !quant.uniform<i16:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x2x!i8>, %input1: tensor<2x2x!i8>, %init0: tensor<!i8>, %init1: tensor<!i8>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<!i16>, %a1: tensor<!i16>, %b0: tensor<!i16>, %b1: tensor<!i16>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      %u = "stablehlo.add"(%t, %b1) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%s, %u) : (tensor<!i16>, tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1, 0>} : (tensor<2x2x!i8>, tensor<2x2x!i8>, tensor<!i8>, tensor<!i8>) -> (tensor<!i16>, tensor<!i16>)
    "func.return"(%0#0, %0#1) : (tensor<!i16>, tensor<!i16>) -> ()
  }) {function_type = (tensor<2x2x!i8>, tensor<2x2x!i8>, tensor<!i8>, tensor<!i8>) -> (tensor<!i16>, tensor<!i16>), sym_name = "main"} : () -> ()
}
