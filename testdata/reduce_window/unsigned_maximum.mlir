// clause: storage: u8 is unsigned (erratum E11)
// 200 is the largest; read as signed it is the least.
// derivation: by hand: 200.0 in both windows.
// args: dense<[100, 200, 7]> : tensor<3xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[200, 200]> : tensor<2xui8>
// wrong (unsigned storage read and saturated as signed): dense<[100, 7]> : tensor<2xui8>
!u8 = !quant.uniform<u8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!u8>, tensor<!u8>) -> tensor<2x!u8>
    "func.return"(%0) : (tensor<2x!u8>) -> ()
  }) {function_type = (tensor<3x!u8>, tensor<!u8>) -> tensor<2x!u8>, sym_name = "main"} : () -> ()
}
