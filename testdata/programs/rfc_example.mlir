// The worked example of StableHLO's RFC on quantized reductions, as written there, with numbers for
// its placeholders: load it with dialect="rfc". The result has another type than the body returns,
// so a last conversion is implied.
%result = "stablehlo.reduce"(%input, %init_value) ({
    ^reduce_computation(
            %lhs: tensor<!quant.uniform<i32:f32, 0.05:0>>,
            %rhs: tensor<!quant.uniform<i32:f32, 0.05:0>>):
        %add = "stablehlo.add"(%lhs, %rhs)
            : (tensor<!quant.uniform<i32:f32, 0.05:0>>,
               tensor<!quant.uniform<i32:f32, 0.05:0>>)
            -> tensor<!quant.uniform<i32:f32, 0.05:0>>
        "stablehlo.return"(%add)
            : (tensor<!quant.uniform<i32:f32, 0.05:0>>) -> ()
    }) {
        dimensions = dense<1> : tensor<i64>
    } : (tensor<5 x 1 x !quant.uniform<ui8:f32, 0.1:30>>,
         tensor<!quant.uniform<ui8:f32, 0.1:30>>)
    -> tensor<5 x !quant.uniform<ui8:f32, 0.2:128>>
