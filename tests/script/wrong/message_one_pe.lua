-- A message needs two PEs.
local message = require "gemm.message"
message.run{P = 1}
--- expect
--- message_one_pe.lua:3: P = 1: an integer of at least 2 is wanted
