// (C1) type(storage_min) = storage_type, an integer type; MLIR knows storage of 8-bit floats.
// expect: violation quantized_type_c1 (strict)
// expect: violation quantized_type_c1 (mlir)
!f8E4M3FN = !quant.uniform<f8E4M3FN:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!f8E4M3FN>):
    "func.return"(%0) : (tensor<!f8E4M3FN>) -> ()
  }) {function_type = (tensor<!f8E4M3FN>) -> tensor<!f8E4M3FN>, sym_name = "main"} : () -> ()
}
