// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[120, -104, -118, 99, 124, -107], [100, -102, -118, -116, -115, 121]]> : tensor<2x6xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[14, -230]> : tensor<2xi32>
// wrong (accumulated in the inputs' type): dense<[14, 26]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi8>, tensor<i8>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x6xi8>, tensor<i8>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}
