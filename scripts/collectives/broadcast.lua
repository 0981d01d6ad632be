-- Broadcast on a row or a grid:  wsevm run scripts/collectives/broadcast.lua P=128 B=1
-- README.md has the arguments. With require "collectives.broadcast" it gives lib/flood.lua.
local flood = require "collectives.lib.flood"
if ... then return flood end  -- a module gets its name

local command = require "collectives.lib.command"
local result = command.run(flood.run, command.options("flood", {}, {}, {}))
command.tell("broadcast", result)
