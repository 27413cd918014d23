// The result has a dimension.
// expect: violation replica_id_o1 (strict)
module {
  func.func public @main() -> (tensor<1xui32>) {
    %r0 = "stablehlo.replica_id"() : () -> (tensor<1xui32>)
    "func.return"(%r0) : (tensor<1xui32>) -> ()
  }
}
