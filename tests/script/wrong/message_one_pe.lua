-- A message needs two PEs.
local message = require "gemm.message"
message.run{P = 1}
--- expect
