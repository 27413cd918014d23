// clause: to_destination_type: the init value is converted, too
// The init value stands for 10.0; its stored integer, taken as it is, stands for another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-1, 9, 6, 4, -3, -3, 1]> : tensor<7xi8>
// args: dense<[7, 5, 6, -1, -1, -2, -1]> : tensor<7xi8>
// args: dense<23> : tensor<i8>
// expect: dense<[40, 58, 32, 32, 40, 40, 22]> : tensor<7xi32>
// permitted (init value twice; init value first and last): dense<[80, 98, 72, 72, 80, 80, 62]> : tensor<7xi32>
// permitted (init value before every element): dense<[40, 178, 72, 72, 40, 40, 102]> : tensor<7xi32>
// wrong (init value not converted): dense<[23, 41, 15, 15, 23, 23, 5]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[23, 41, 22, 22, 23, 23, 20]> : tensor<7xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
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
