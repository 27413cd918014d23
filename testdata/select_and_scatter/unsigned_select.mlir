// clause: storage: u8 is unsigned (erratum E11)
// 200 is larger than 100, unless read as signed.
// derivation: by hand: 200.0 wins.
// args: dense<[100, 200]> : tensor<2xui8>
// args: dense<[5]> : tensor<1xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[0, 5]> : tensor<2xui8>
// wrong (unsigned storage read and saturated as signed; unsigned storage read as signed, as StableHLO's passes): dense<[5, 0]> : tensor<2xui8>
!u8 = !quant.uniform<u8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!u8>, %source: tensor<1x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2x!u8>, tensor<1x!u8>, tensor<!u8>) -> tensor<2x!u8>
    "func.return"(%0) : (tensor<2x!u8>) -> ()
  }) {function_type = (tensor<2x!u8>, tensor<1x!u8>, tensor<!u8>) -> tensor<2x!u8>, sym_name = "main"} : () -> ()
}
