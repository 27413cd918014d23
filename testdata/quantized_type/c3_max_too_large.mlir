// (C3) min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type); MLIR's type parser is first.
// expect: malformed illegal storage type maximum: 256
!u8 = !quant.uniform<u8<0:256>:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!u8>):
    "func.return"(%0) : (tensor<!u8>) -> ()
  }) {function_type = (tensor<!u8>) -> tensor<!u8>, sym_name = "main"} : () -> ()
}
