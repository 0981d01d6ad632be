-- A message along a row by three clocks:  wsevm run scripts/gemm/message.lua P=128 words=2
-- README.md has the arguments. With require "gemm.message" it gives run and layout.
local message = require "gemm.lib.message"
if ... then return message end  -- a module gets its name

local command = require "support.command"
local wse = require "wse"

local result = command.call("words", message.run, command.options(message.examples))
print(string.format("%d words over %d hops on %s: %d cycles by global time, %d by the clocks of the "
                    .. "two PEs since their starts, %d by their counters", result.words, result.hops,
                    result.machine, result.global_cycles, result.own_cycles, result.tsc_cycles))
wse.user(result)
