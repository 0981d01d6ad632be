-- A matrix of another shape in its file.
local gemm = require "gemm.gemm"
gemm.run{P = 2, M = 3, K = 4, N = 5, shares = false, c = "matrix_3_5.npy"}
gemm.run{P = 2, M = 2, K = 5, N = 4, b = "matrix_3_5.npy"}
--- expect
--- gemm_file_shape.lua: the memory limit of 128 MiB is reached (--script-memory)
