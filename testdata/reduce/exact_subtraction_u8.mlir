// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[147, 177, 156, 143, 130, 44], [207, 211, 53, 244, 25, 204]]> : tensor<2x6xui8>
// args: dense<200> : tensor<ui8>
// expect: dense<[-403, -256]> : tensor<2xi16>
// wrong (zero point subtracted in the storage type, the literal text): dense<[1133, 256]> : tensor<2xi16>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[997, 1144]> : tensor<2xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-1939, -1536]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f32, 0.5:200>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
