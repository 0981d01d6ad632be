-- A vortex between free-slip walls:
--   wsevm run scripts/mach/flow.lua width=16 height=16 nz=16 steps=100
-- README.md has the arguments. With require "mach.flow" it gives problems/flow.lua.
local flow = require "mach.problems.flow"
if ... then return flow end  -- a module gets its name

require("mach.problems.command").main(flow)
