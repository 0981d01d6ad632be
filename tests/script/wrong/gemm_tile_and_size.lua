-- A size of the matrix and one of its tiles, which may say different things.
local gemm = require "gemm.gemm"
gemm.run{P = 4, K = 30, Kt = 8}
--- expect
--- gemm_tile_and_size.lua:3: K = 30 and Kt = 8: one of them is wanted
