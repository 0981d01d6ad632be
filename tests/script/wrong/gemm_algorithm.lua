-- An algorithm that nobody has written.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "strassen", P = 4, M = 8, K = 8, N = 8}
--- expect
