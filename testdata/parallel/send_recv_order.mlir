// clause: recv: receives data from a channel
// A channel gives what was sent first, first.
// derivation: by hand: 1 before 2
// schedules: any
// expect: dense<1> : tensor<i32>
// expect: dense<2> : tensor<i32>
module {
  func.func public @main() -> (tensor<i32>, tensor<i32>) {
    %x0 = stablehlo.constant dense<1> : tensor<i32>
    %x1 = stablehlo.constant dense<2> : tensor<i32>
    %x2 = stablehlo.create_token : !stablehlo.token
    %x3 = stablehlo.create_token : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) {programs = [[@sender], [@receiver]]} : (tensor<i32>, tensor<i32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<i32>, tensor<i32>)
    func.return %r#1, %r#2 : tensor<i32>, tensor<i32>
  }
  func.func private @sender(%x: tensor<i32>, %y: tensor<i32>, %t: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %1 = "stablehlo.send"(%y, %0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    func.return %1 : !stablehlo.token
  }
  func.func private @receiver(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>) {
    %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %1:2 = "stablehlo.recv"(%0#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    func.return %0#0, %1#0 : tensor<i32>, tensor<i32>
  }
}
