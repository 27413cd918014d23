// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-125, 78, -89, 96, 71, 30, -110]> : tensor<7xi8>
// args: dense<[-77, 102, -103, 14, 123, -16, -21]> : tensor<7xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<[0, 281, 0, 418, 112, 107, 0]> : tensor<7xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[51, 0, -115, -5, 0, 0, 219]> : tensor<7xi32>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-128, -103, -128, -94, -144, -149, -128]> : tensor<7xi32>
!i8 = !quant.uniform<i8:f32, 0.5:-128>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}
