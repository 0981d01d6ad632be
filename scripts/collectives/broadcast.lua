-- Broadcast on a row or a grid:  wsevm run scripts/collectives/broadcast.lua P=128 B=1
-- pattern=ping-pong times it as the paper did. README.md has the arguments. With
-- require "collectives.broadcast" it gives run and layout.
local flood = require "collectives.operations.flood"
local ping_pong = require "collectives.operations.ping_pong"

local broadcast = {layout = flood.layout}

function broadcast.run(options)
  return (options.pattern == "ping-pong" and ping_pong or flood).run(options)
end

if ... then return broadcast end  -- a module gets its name

local command = require "collectives.lib.command"
local result = command.run(broadcast.run, command.options("flood", {}, {}, {}))
command.tell("broadcast", result)
