-- A matrix in a file that is not there.
local gemm = require "gemm.gemm"
gemm.run{P = 2, M = 4, K = 4, N = 4, b = "no_such_matrix.npy"}
--- expect
--- gemm_no_file.lua:3: b: cannot read 'no_such_matrix.npy': No such file or directory
