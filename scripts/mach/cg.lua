-- Conjugate gradients, plain and pipelined:
--   wsevm run scripts/mach/cg.lua width=16 height=16 nz=32 method=pipelined
-- README.md has the arguments. With require "mach.cg" it gives problems/cg.lua.
local cg = require "mach.problems.cg"
if ... then return cg end  -- a module gets its name

require("mach.problems.command").main(cg)
