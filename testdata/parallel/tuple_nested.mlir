// clause: get_tuple_element: result = operand[index]
// The inner tuple has its own numbering.
// derivation: by hand: the second element of the tuple is a tuple, of which the first is -2
// schedules: any
// args: dense<7> : tensor<i32>
// args: dense<-2> : tensor<i32>
// expect: dense<-2> : tensor<i32>
module {
  func.func public @main(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
    %t = stablehlo.after_all : !stablehlo.token
    %0 = stablehlo.tuple %y, %t : tuple<tensor<i32>, !stablehlo.token>
    %1 = stablehlo.tuple %x, %0 : tuple<tensor<i32>, tuple<tensor<i32>, !stablehlo.token>>
    %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<i32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
    %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
    func.return %3 : tensor<i32>
  }
}
