-- The program that the paper on such machines lists first:
--   wsevm run scripts/mach/listing1.lua width=8 height=4 g=7
-- README.md has the arguments. With require "mach.listing1" it gives problems/listing1.lua.
local listing1 = require "mach.problems.listing1"
if ... then return listing1 end  -- a module gets its name

require("mach.problems.command").main(listing1)
