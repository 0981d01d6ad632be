-- Slices whose length each worker has for itself:
--   wsevm run scripts/mach/slices.lua width=8 height=4 nz=16
-- README.md has the arguments. With require "mach.slices" it gives problems/slices.lua.
local slices = require "mach.problems.slices"
if ... then return slices end  -- a module gets its name

require("mach.problems.command").main(slices)
