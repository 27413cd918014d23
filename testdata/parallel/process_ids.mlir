// clause: replica_id: produces replica_id of the current process
// Process (1, 0) has replica 1 and partition 0, not the other way round.
// derivation: by hand: 10 * replica_id + partition_id
// schedules: any
// expect: dense<0> : tensor<ui32>
// expect: dense<1> : tensor<ui32>
// expect: dense<10> : tensor<ui32>
// expect: dense<11> : tensor<ui32>
module {
  func.func public @main() -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) {
    %r:4 = "interpreter.run_parallel"() {programs = [[@part, @part], [@part, @part]]} : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    func.return %r#0, %r#1, %r#2, %r#3 : tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>
  }
  func.func private @part() -> tensor<ui32> {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.constant dense<10> : tensor<ui32>
    %3 = stablehlo.multiply %0, %2 : tensor<ui32>
    %4 = stablehlo.add %3, %1 : tensor<ui32>
    func.return %4 : tensor<ui32>
  }
}
