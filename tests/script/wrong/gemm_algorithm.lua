-- An algorithm that nobody has written.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "strassen", P = 4, M = 8, K = 8, N = 8}
--- expect
--- gemm_algorithm.lua:3: algorithm = strassen: summa, summa-multicast, cannon, meshgemm, meshgemm-t, allgather or 2.5d is wanted
