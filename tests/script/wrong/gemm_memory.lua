-- Tiles that a PE cannot hold: the plan of its memory says what takes the space.
local gemm = require "gemm.gemm"
gemm.run{algorithm = "allgather", P = 8, M = 400, K = 400, N = 400, accumulate = "f32"}
--- expect
--- gemm_memory.lua:3: M = 400, K = 400, N = 400: tiles of 50 x 50 and 50 x 50 need 92072 bytes in a PE, which has 49152: a larger P or smaller sizes fit
---        0  40000  a       8 tiles of A, 50 x 50, by columns
---    40000  40000  b       8 tiles of B, 50 x 50, by rows
---    80004  10000  c       the tile of C, 50 x 50, by columns
---    90016      8  clock   when the PE began and ended
---    90024   2048  code    instructions and descriptors, at most
---   92072 of 49152 bytes
