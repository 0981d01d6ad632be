-- A matrix in a file that is no NumPy file.
local gemm = require "gemm.gemm"
local wse = require "wse"
wse.write_text("no_matrix.npy", "1 2 3\n")
gemm.run{P = 2, M = 4, K = 4, N = 4, a = "no_matrix.npy"}
--- expect
--- gemm_file_kind.lua: the memory limit of 128 MiB is reached (--script-memory)
