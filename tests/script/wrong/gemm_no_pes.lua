-- A grid without PEs.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "cannon", P = 0, M = 8, K = 8, N = 8}
--- expect
--- gemm_no_pes.lua:3: P = 0: an integer of at least 1 is wanted
