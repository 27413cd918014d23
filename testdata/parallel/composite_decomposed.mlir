// clause: composite: the semantics of the op are implemented by the decomposition attribute
// The name of the composite says nothing about its meaning: it is the function's.
// derivation: by hand: 7 - 5
// schedules: any
// args: dense<7> : tensor<i32>
// args: dense<5> : tensor<i32>
// expect: dense<2> : tensor<i32>
module {
  func.func public @main(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.composite "my.add" %x, %y {composite_attributes = {n = 2 : i64}, decomposition = @part, version = 1 : i32} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    func.return %0 : tensor<i32>
  }
  func.func private @part(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.subtract %x, %y : tensor<i32>
    func.return %0 : tensor<i32>
  }
}
