// clause: quantize: the rounded storage bound saturates (erratum E3)
// storage_max is 4294967296.0 or 2147483648.0 in f32; converting that back must not wrap.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[122, 86, 87, 126, 115, 72], [73, 76, 106, 122, 66, 87]]> : tensor<2x6xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[2147483647, 2147483647]> : tensor<2xi32>
// wrong (the rounded bound converted back with overflow, as x86): dense<[-939524096, -687865856]> : tensor<2xi32>
// wrong (wrapped instead of saturated; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[1610612736, 301989888]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[608, 530]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 16777216.0>
!i32 = !quant.uniform<i32:f32, 1.0>
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
