// clause: storage: the sum of u8 is unsigned (erratum E11)
// Results above half of the range, where signed storage ends.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[10, 82, 44, 0, 0, 0, 87]> : tensor<7xui8>
// args: dense<[57, 89, 49, 0, 13, 73, 66]> : tensor<7xui8>
// args: dense<1> : tensor<ui8>
// expect: dense<[1, 193, 0, 13, 1, 1, 138]> : tensor<7xui8>
// wrong (unsigned storage read and saturated as signed): dense<[1, 127, 0, 13, 1, 1, 127]> : tensor<7xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[1, 0, 0, 13, 1, 1, 138]> : tensor<7xui8>
!u8 = !quant.uniform<u8:f32, 0.5:1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u8>
    "func.return"(%0) : (tensor<7x!u8>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u8>, sym_name = "main"} : () -> ()
}
