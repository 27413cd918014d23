// clause: reduce_window: a window as wide as the input
// As jnp.cumsum is lowered.
// derivation: by hand: 1, 2, 3, 4, 5 added up, in steps of 0.5.
// args: dense<[4, 5, 6, 7, 8]> : tensor<5xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[1, 3, 6, 10, 15]> : tensor<5xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[19, 21, 24, 28, 33]> : tensor<5xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>} : (tensor<5x!i8>, tensor<!i8>) -> tensor<5x!i32>
    "func.return"(%0) : (tensor<5x!i32>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<!i8>) -> tensor<5x!i32>, sym_name = "main"} : () -> ()
}
