// Two programs give two results.
// expect: violation run_parallel_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>) {
    %r0 = "interpreter.run_parallel"(%arg0, %arg1) {programs = [[@part, @part]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
  func.func private @part(%y: tensor<2xf32>) -> tensor<2xf32> {
    "func.return"(%y) : (tensor<2xf32>) -> ()
  }
}
