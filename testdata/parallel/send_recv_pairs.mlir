// clause: send: transfers data to another device based on the values of source_target_pairs
// All processes send, and each receives from the one before it.
// derivation: by hand: a ring of three
// schedules: any
// expect: dense<4> : tensor<i32>
// expect: dense<1> : tensor<i32>
// expect: dense<2> : tensor<i32>
module {
  func.func public @main() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
    %x0 = stablehlo.constant dense<1> : tensor<i32>
    %x1 = stablehlo.create_token : !stablehlo.token
    %x2 = stablehlo.constant dense<2> : tensor<i32>
    %x3 = stablehlo.create_token : !stablehlo.token
    %x4 = stablehlo.constant dense<4> : tensor<i32>
    %x5 = stablehlo.create_token : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3, %x4, %x5) {programs = [[@part, @part, @part]]} : (tensor<i32>, !stablehlo.token, tensor<i32>, !stablehlo.token, tensor<i32>, !stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>)
    func.return %r#0, %r#1, %r#2 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  func.func private @part(%x: tensor<i32>, %t: !stablehlo.token) -> tensor<i32> {
    %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    func.return %1#0 : tensor<i32>
  }
}
