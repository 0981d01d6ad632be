-- One-to-all broadcast:
--   wsevm run scripts/alltoall/spread.lua d=4 m=1024 --machine=cm200
-- README.md has the arguments. With require "alltoall.spread" it gives lib/spread.lua.
local spread = require "alltoall.lib.spread"
if ... then return spread end  -- a module gets its name

local command = require "alltoall.lib.command"
command.main("one-to-all broadcast", spread, "spread", {})
