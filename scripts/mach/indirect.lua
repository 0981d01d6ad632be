-- The cost of gather and scatter:
--   wsevm run scripts/mach/indirect.lua kernel=gather n=1024
-- README.md has the arguments. With require "mach.indirect" it gives lib/indirect.lua.
local indirect = require "mach.lib.indirect"
if ... then return indirect end  -- a module gets its name

require("mach.lib.command").main(indirect.run, indirect.arguments, indirect.shown, "n")
