-- The cost of control:
--   wsevm run scripts/mach/control.lua width=16 height=12 response=4 nz=16 rpcs=20 sections=1 seed=0
-- README.md has the arguments. With require "mach.control" it gives lib/control.lua.
local control = require "mach.lib.control"
if ... then return control end  -- a module gets its name

require("mach.lib.command").main(control.run, control.arguments, control.shown, "nz, rpcs and sections")
