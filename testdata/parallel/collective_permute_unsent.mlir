// clause: collective_permute: result@process = operand@source, else zeros
// Process 0 is no target; process 2 sends to itself.
// derivation: by hand: 0, the value of process 0, its own
// schedules: any
// expect: dense<[0, 0]> : tensor<2xi32>
// expect: dense<[1, 10]> : tensor<2xi32>
// expect: dense<[4, 40]> : tensor<2xi32>
// wrong (its own operand in place of zeros): dense<[1, 10]> : tensor<2xi32>; dense<[1, 10]> : tensor<2xi32>; dense<[4, 40]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
    %x1 = stablehlo.constant dense<[2, 20]> : tensor<2xi32>
    %x2 = stablehlo.constant dense<[4, 40]> : tensor<2xi32>
    %r:3 = "interpreter.run_parallel"(%x0, %x1, %x2) {programs = [[@part], [@part], [@part]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1, %r#2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [2, 2]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
