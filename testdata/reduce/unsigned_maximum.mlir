// clause: storage: u8 is unsigned (erratum E11)
// 200 is the largest; read as signed it is the least.
// derivation: by hand: 200.0.
// args: dense<[100, 200, 7]> : tensor<3xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<200> : tensor<ui8>
// wrong (unsigned storage read and saturated as signed): dense<100> : tensor<ui8>
!u8 = !quant.uniform<u8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x!u8>, tensor<!u8>) -> tensor<!u8>
    "func.return"(%0) : (tensor<!u8>) -> ()
  }) {function_type = (tensor<3x!u8>, tensor<!u8>) -> tensor<!u8>, sym_name = "main"} : () -> ()
}
