// clause: to_destination_type: the init value is converted, too
// The init value stands for 10.0; its stored integer, taken as it is, stands for another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-1, 9, 6, 4, -3, -3], [1, 7, 5, 6, -1, -1]]> : tensor<2x6xi8>
// args: dense<23> : tensor<i8>
// expect: dense<[28, 38]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[68, 78]> : tensor<2xi32>
// permitted (init value before every element): dense<[268, 278]> : tensor<2xi32>
// wrong (init value not converted): dense<[11, 21]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[35, 40]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
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
