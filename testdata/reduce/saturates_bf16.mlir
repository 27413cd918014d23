// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[102, 108, 109, -98, -120, 108], [-118, -118, -127, -118, -110, -98]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[8, -128]> : tensor<2xi8>
// permitted (balanced): dense<[101, -128]> : tensor<2xi8>
// wrong (wrapped instead of saturated): dense<[-62, 64]> : tensor<2xi8>
!i8 = !quant.uniform<i8:bf16, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
