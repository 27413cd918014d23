// (C1) the bits of two elements are not those of four, though jaxlib's verifier accepts it (erratum E18)
// expect: violation bitcast_convert_c1 (strict)
module {
  "func.func"() ({
  ^bb0(%x: tensor<2xi16>):
    %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xi16>) -> tensor<2x2xi16>
    "func.return"(%0) : (tensor<2x2xi16>) -> ()
  }) {function_type = (tensor<2xi16>) -> tensor<2x2xi16>, sym_name = "main"} : () -> ()
}
