-- The heat equation on a box of points:
--   wsevm run scripts/mach/heat.lua width=16 height=12 nz=32 steps=50
-- README.md has the arguments. With require "mach.heat" it gives problems/heat.lua.
local heat = require "mach.problems.heat"
if ... then return heat end  -- a module gets its name

require("mach.problems.command").main(heat)
