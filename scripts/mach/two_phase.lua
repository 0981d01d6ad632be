-- Water that displaces oil in a porous medium:
--   wsevm run scripts/mach/two_phase.lua width=8 height=8 nz=4 steps=60 volumes=0.3
-- README.md has the arguments. With require "mach.two_phase" it gives problems/two_phase.lua.
local two_phase = require "mach.problems.two_phase"
if ... then return two_phase end  -- a module gets its name

require("mach.problems.command").main(two_phase)
