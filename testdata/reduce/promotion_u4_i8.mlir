// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[15, 0, 15, 2, 10, 15], [15, 15, 0, 0, 15, 15]]> : tensor<2x6xui4>
// args: dense<8> : tensor<ui4>
// expect: dense<[16, 22]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[65, 68]> : tensor<2xi8>
// wrong (init value not converted): dense<[24, 30]> : tensor<2xi8>
// wrong (converted without zero points): dense<[108, 113]> : tensor<2xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-118, -113]> : tensor<2xi8>
!u4 = !quant.uniform<u4:f32, 0.5:8>
!i8 = !quant.uniform<i8:f32, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u4>, %init: tensor<!u4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u4>, tensor<!u4>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!u4>, tensor<!u4>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
