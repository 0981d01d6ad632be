-- A size of the matrix and one of its tiles, which may say different things.
local gemm = require "gemm.gemm"
gemm.run{P = 4, K = 30, Kt = 8}
--- expect
