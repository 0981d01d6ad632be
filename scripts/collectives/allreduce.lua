-- AllReduce on a row or a grid, a reduce and a flood of its result; or a ring on a row:
--   wsevm run scripts/collectives/allreduce.lua pattern=chain P=512 B=256 root=middle
--   wsevm run scripts/collectives/allreduce.lua pattern=xy-tree width=16 height=8 via=2d
--   wsevm run scripts/collectives/allreduce.lua pattern=ring-fold P=16 B=4096 overlap=true
-- README.md has the arguments. With require "collectives.allreduce" it gives run and layout.
local reduction = require "collectives.operations.reduction"
local ring = require "collectives.operations.ring"

local allreduce = {}

local function with_flood(options)
  local grid = options.width ~= nil or options.height ~= nil
  local copy = {via = grid and "2d" or "reduce-broadcast"}
  for name, value in pairs(options) do copy[name] = value end
  return copy
end

function allreduce.run(options)
  if ring.has(options.pattern) then return ring.run(options) end
  return reduction.run(with_flood(options))
end

function allreduce.layout(options)
  if ring.has(options.pattern) then return ring.layout(options) end
  return reduction.layout(with_flood(options))
end

function allreduce.instrumented(options, around)
  return reduction.instrumented(with_flood(options), around)
end

if ... then return allreduce end  -- a module gets its name

local command = require "collectives.lib.command"
local options = command.options("chain", {"op", "code", "planner", "via"}, {"S"}, {"overlap"})
local result = command.run(allreduce.run, options)
command.tell("allreduce", result)
if ring.has(options.pattern) then print("  " .. ring.text(result)) end
