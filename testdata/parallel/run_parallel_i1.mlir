// The second replica has one partition less.
// expect: violation run_parallel_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %r0, %r1 = "interpreter.run_parallel"(%arg0, %arg1) {programs = [[@part, @part], [@part]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    "func.return"(%r0, %r1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }
  func.func private @part(%y: tensor<2xf32>) -> tensor<2xf32> {
    "func.return"(%y) : (tensor<2xf32>) -> ()
  }
}
