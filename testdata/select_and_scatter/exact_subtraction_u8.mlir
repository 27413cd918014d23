// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[147, 177, 156, 143, 130, 44, 207]> : tensor<7xui8>
// args: dense<[211, 53, 244, 25, 204, 98, 217]> : tensor<7xui8>
// args: dense<200> : tensor<ui8>
// expect: dense<[0, -92, -175, 4, 0, 0, -85]> : tensor<7xi16>
// wrong (zero point subtracted in the storage type, the literal text): dense<[0, 164, 81, 4, 154, 17, 0]> : tensor<7xi16>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[200, 708, 225, 404, 200, 200, 515]> : tensor<7xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-256, -860, -431, -256, -256, -849, -256]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f32, 0.5:200>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}
