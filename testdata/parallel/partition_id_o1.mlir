// The result is signed.
// expect: violation partition_id_o1 (strict)
module {
  func.func public @main() -> (tensor<i32>) {
    %r0 = "stablehlo.partition_id"() : () -> (tensor<i32>)
    "func.return"(%r0) : (tensor<i32>) -> ()
  }
}
