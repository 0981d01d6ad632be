-- The cost of a reduction:
--   wsevm run scripts/mach/reduction.lua width=16 height=12 nz=16 op=sum to=controller work=0
-- README.md has the arguments. With require "mach.reduction" it gives lib/reduction.lua.
local reduction = require "mach.lib.reduction"
if ... then return reduction end  -- a module gets its name

require("mach.lib.command").main(reduction.run, reduction.arguments, reduction.shown, "nz and work")
