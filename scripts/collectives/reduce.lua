-- Reduce on a row or a grid:
--   wsevm run scripts/collectives/reduce.lua pattern=two-phase P=512 B=256
-- README.md has the arguments. With require "collectives.reduce" it gives lib/reduction.lua.
local reduction = require "collectives.operations.reduction"
if ... then return reduction end  -- a module gets its name

local command = require "collectives.lib.command"
local options = command.options("chain", {"op", "code", "planner"}, {"S"}, {})
local result = command.run(reduction.run, options)
command.tell("reduce", result)
