-- AllReduce on a row or a grid, a reduce and a flood of its result:
--   wsevm run scripts/collectives/allreduce.lua pattern=chain P=512 B=256 root=middle
-- README.md has the arguments. With require "collectives.allreduce" it gives run and layout.
local reduction = require "collectives.lib.reduction"

local allreduce = {}

local function with_flood(options)
  local copy = {via = "reduce-broadcast"}  -- the only way there is
  for name, value in pairs(options) do copy[name] = value end
  return copy
end

function allreduce.run(options) return reduction.run(with_flood(options)) end

function allreduce.layout(options) return reduction.layout(with_flood(options)) end

if ... then return allreduce end  -- a module gets its name

local command = require "collectives.lib.command"
local options = command.options("chain", {"op", "code", "planner", "via"}, {"S"})
local result = command.run(allreduce.run, options)
command.tell("allreduce", result)
