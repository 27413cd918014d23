// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[22, 7, 8, -2, -6, -23], [35, 14, 21, 10, 15, 1]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-70, 229]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-43, 47]> : tensor<2xi32>
// wrong (init value not converted): dense<[-74, 225]> : tensor<2xi32>
// wrong (converted without zero points): dense<[-18, 283]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f64, 0.1:5>
!i32 = !quant.uniform<i32:f64, 0.03:9>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
