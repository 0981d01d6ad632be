-- Tiles that do not fit are told by the arguments that were given.
local gemm = require "gemm.gemm"
gemm.run{P = 2, M = 300, Kt = 150, N = 300}
--- expect
--- gemm_memory_of.lua:3: M = 300, Kt = 150, N = 300: tiles of 150 x 150 and 150 x 150 need 227064 bytes in a PE, which has 49152: a larger P or smaller sizes fit
---        0  90000  a       2 tiles of A, 150 x 150, by columns
---    90000  90000  b       2 tiles of B, 150 x 150, by rows
---   180004  45000  c       the tile of C, 150 x 150, by columns
---   225008      8  clock   when the PE began and ended
---   225016   2048  code    instructions and descriptors, at most
---   227064 of 49152 bytes
