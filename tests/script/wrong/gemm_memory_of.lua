-- Tiles that do not fit are told by the arguments that were given.
local gemm = require "gemm.gemm"
gemm.run{P = 2, M = 300, Kt = 150, N = 300}
