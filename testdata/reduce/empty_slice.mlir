// clause: reduce: no elements give the converted init value
// There is nothing to fold; the result is the init value, but in the body's type.
// derivation: by hand: (13 - 3) * 0.5 = 5.0 and 5.0 / 0.25 = 20.
// args: dense<> : tensor<2x0xi8>
// args: dense<13> : tensor<i8>
// expect: dense<[20, 20]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[40, 40]> : tensor<2xi32>
// wrong (the init value as stored; stored integers not converted to the body's type, as StableHLO's passes): dense<[13, 13]> : tensor<2xi32>
// wrong (zeros): dense<[0, 0]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x0x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x0x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x0x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
