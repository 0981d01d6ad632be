-- An option that a product does not have.
local gemm = require "gemm.gemm"
gemm.run{P = 2, tile = 4}
--- expect
--- gemm_option.lua:3: a product has no option 'tile'; did you mean 'type'?
