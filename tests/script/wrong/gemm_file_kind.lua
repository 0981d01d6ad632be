-- A matrix in a file that is no NumPy file.
local gemm = require "gemm.gemm"
gemm.run{P = 2, M = 4, K = 4, N = 4, a = "gemm_file_kind.lua"}
--- expect
