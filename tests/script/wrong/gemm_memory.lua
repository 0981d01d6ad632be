-- Tiles that a PE cannot hold: the plan of its memory says what takes the space.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "allgather", P = 8, M = 400, K = 400, N = 400, accumulate = "f32"}
--- expect
