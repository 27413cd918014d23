// clause: select_and_scatter: no window fits
// Every element is the converted init value.
// derivation: by hand: 5.0 in steps of 0.25.
// args: dense<[3, 4]> : tensor<2xi8>
// args: dense<> : tensor<0xi8>
// args: dense<13> : tensor<i8>
// expect: dense<[20, 20]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[40, 40]> : tensor<2xi32>
// wrong (the init value as stored; stored integers not converted to the body's type, as StableHLO's passes): dense<[13, 13]> : tensor<2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i8>, %source: tensor<0x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<2x!i8>, tensor<0x!i8>, tensor<!i8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<0x!i8>, tensor<!i8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
