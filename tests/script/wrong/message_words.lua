-- A message that no PE can hold.
local message = require "gemm.message"
message.run{P = 2, words = 100000}
