-- The Ising model with free borders:
--   wsevm run scripts/mach/ising.lua width=8 height=8 nz=32 temperature=2.0 sweeps=400
-- README.md has the arguments. With require "mach.ising" it gives problems/ising.lua.
local ising = require "mach.problems.ising"
if ... then return ising end  -- a module gets its name

require("mach.problems.command").main(ising)
