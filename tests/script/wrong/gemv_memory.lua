-- A tile of the matrix that a PE cannot hold.
local gemv = require "gemm.gemv"
gemv.run{P = 2, M = 400, N = 400}
--- expect
--- gemv_memory.lua:3: M = 400, N = 400: a tile of W of 200 x 200 and its vectors need 83648 bytes in a PE, which has 49152: a larger P or smaller sizes fit
