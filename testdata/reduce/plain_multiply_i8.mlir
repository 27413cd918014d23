// clause: multiply of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-17, -103, -51, -71, -45], [-27, -119, -23, 85, 93]]> : tensor<2x5xi8>
// args: dense<91> : tensor<i8>
// expect: dense<[19, 87]> : tensor<2xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi8>, tensor<i8>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x5xi8>, tensor<i8>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}
