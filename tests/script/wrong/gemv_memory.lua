-- A tile of the matrix that a PE cannot hold.
local gemv = require "gemm.gemv"
gemv.run{P = 2, M = 400, N = 400}
--- expect
