-- Grids side by side, of an algorithm that has one.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "summa", P = 4, layers = 2}
--- expect
--- gemm_layers.lua:3: layers = 2: algorithm=2.5d has that choice
