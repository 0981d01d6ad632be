-- All-to-all broadcast:
--   wsevm run scripts/alltoall/broadcast.lua algorithm=d-cycles d=4 m=8 --machine=cm200
-- README.md has the arguments. With require "alltoall.broadcast" it gives lib/broadcast.lua.
local broadcast = require "alltoall.lib.broadcast"
if ... then return broadcast end  -- a module gets its name

local command = require "alltoall.lib.command"
command.main("broadcast", broadcast, "d-cycles", {"index"})
