// clause: infeed: reads data from the infeed
// Each infeed gives the next element of the queue; outfeed takes it and gives only a token.
// derivation: by hand: 10 - 3
// schedules: any
// expect: dense<7> : tensor<i32>
module {
  func.func public @main() -> (tensor<i32>) {
    %x0 = stablehlo.create_token : !stablehlo.token
    %r = "interpreter.run_parallel"(%x0) {infeed = [@first, @second], programs = [[@part]]} : (!stablehlo.token) -> (tensor<i32>)
    func.return %r : tensor<i32>
  }
  func.func private @part(%t: !stablehlo.token) -> tensor<i32> {
    %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%0#0, %1#1) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %3 = stablehlo.after_all %2, %1#1 : !stablehlo.token
    %r = stablehlo.subtract %0#0, %1#0 : tensor<i32>
    func.return %r : tensor<i32>
  }
  func.func private @first() -> tensor<i32> {
    %0 = stablehlo.constant dense<10> : tensor<i32>
    func.return %0 : tensor<i32>
  }
  func.func private @second() -> tensor<i32> {
    %0 = stablehlo.constant dense<3> : tensor<i32>
    func.return %0 : tensor<i32>
  }
}
