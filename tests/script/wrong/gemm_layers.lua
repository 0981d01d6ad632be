-- Grids side by side, of an algorithm that has one.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "summa", P = 4, layers = 2}
--- expect
