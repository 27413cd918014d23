// clause: all_reduce: results...@process[result_index] = exec(schedule), in the order of the group
// 100 + 100 saturates at 127 before -100 comes; any tree that takes -100 first loses nothing.
// derivation: by hand: min(100 + 100, 127) - 100 = 27
// args: dense<[100]> : tensor<1xi8>
// args: dense<[100]> : tensor<1xi8>
// args: dense<[-100]> : tensor<1xi8>
// expect: dense<[27]> : tensor<1xi8>
// expect: dense<[27]> : tensor<1xi8>
// expect: dense<[27]> : tensor<1xi8>
// wrong (accumulated in i32): dense<[100]> : tensor<1xi8>; dense<[100]> : tensor<1xi8>; dense<[100]> : tensor<1xi8>
module {
  func.func public @main(%x: tensor<1x!quant.uniform<i8:f32, 1.0>>, %y: tensor<1x!quant.uniform<i8:f32, 1.0>>, %z: tensor<1x!quant.uniform<i8:f32, 1.0>>) -> (tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>) {
    %r:3 = "interpreter.run_parallel"(%x, %y, %z) {programs = [[@part], [@part], [@part]]} : (tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>) -> (tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>)
    func.return %r#0, %r#1, %r#2 : tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>, tensor<1x!quant.uniform<i8:f32, 1.0>>
  }
  func.func private @part(%x: tensor<1x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x!quant.uniform<i8:f32, 1.0>> {
    %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<!quant.uniform<i8:f32, 1.0>>, %b: tensor<!quant.uniform<i8:f32, 1.0>>):
          %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 1.0>>
          stablehlo.return %s : tensor<!quant.uniform<i8:f32, 1.0>>
        }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<1x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x!quant.uniform<i8:f32, 1.0>>
    func.return %r : tensor<1x!quant.uniform<i8:f32, 1.0>>
  }
}
