-- An option that a product does not have.
local gemm = require "gemm.gemm"
gemm.run{P = 2, tile = 4}
--- expect
