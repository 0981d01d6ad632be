-- Broadcast and AllReduce: the right vector in every PE; on the profile `model` a broadcast takes
-- the cycles of its law, an AllReduce those of its reduce and the flood.
local allreduce = require "collectives.allreduce"
local broadcast = require "collectives.broadcast"
local collectives = require "support.collectives"
local machines = require "support.machines"
local model = require "collectives.model"
local reduction = require "collectives.reduce"
local wse = require "wse"
local check = collectives.check

local function check_broadcast(options, law)
  local result = check(broadcast.run, options)
  if law then collectives.within(options, "cycles", result.cycles, law, law) end
  collectives.within(options, "colours", result.colours, 0, 1)
end

local function check_rows(machine, type_name, P, B)
  local law = machine == "model" and P > 1 and model.exact.broadcast(P, B)
  local function options(pattern, root)
    return {pattern = pattern, P = P, B = B, machine = machine, type = type_name, root = root}
  end
  check_broadcast(options("flood", "first"), law)
  check_broadcast(options("flood", "last"), law)
  check_broadcast(options("flood", "middle"))
  if P > 1 then check_broadcast(options("message", "first"), law) end
end

local function check_grids(machine, type_name, B)
  for _, root in ipairs{"0,0", "4,3", "middle", "2,1", "0,3"} do
    local corner = root == "0,0" or root == "4,3" or root == "0,3"
    local law = machine == "model" and corner and model.exact.broadcast_2d(5, 4, B)
    check_broadcast({pattern = "flood", width = 5, height = 4, B = B, machine = machine,
                     type = type_name, root = root}, law)
  end
  check_broadcast({pattern = "message", width = 5, height = 4, B = B, machine = machine,
                   type = type_name})
end

for _, machine in ipairs(collectives.profiles) do
  for _, type_name in ipairs(collectives.types) do
    for _, B in ipairs{1, 7, 64} do
      for _, P in ipairs{1, 2, 3, 100} do check_rows(machine, type_name, P, B) end
      check_grids(machine, type_name, B)
    end
  end
end

-- 2 (or 3 + 1) colours of a reduce and one of the flood.
local function check_allreduce(options)
  local result = check(allreduce.run, options)
  if not options.pattern:match("tree$") then
    collectives.within(options, "colours", result.colours, 0, options.P and 3 or 5)
  end
  return result
end

for k, machine in ipairs(collectives.profiles) do
  for j, pattern in ipairs(collectives.row_patterns) do
    for _, P in ipairs{1, 2, 17, 64} do
      for _, root in ipairs{"first", "middle"} do
        check_allreduce{pattern = pattern, P = P, B = 7, machine = machine, root = root,
                        code = (j + k) % 2 == 0 and "measured" or "best"}
      end
    end
  end
  for _, pattern in ipairs(collectives.grid_patterns) do
    for _, size in ipairs{{1, 7}, {7, 1}, {5, 3}, {16, 16}} do
      check_allreduce{pattern = pattern, width = size[1], height = size[2], B = 7,
                      machine = machine}
    end
  end
end

-- The root begins to send in the cycle in which its reduce ends.
for _, pattern in ipairs{"chain", "star", "tree"} do
  for _, B in ipairs{1, 16, 100} do
    local options = {pattern = pattern, P = 64, B = B, machine = "model"}
    local sum = check(reduction.run, options).cycles + model.exact.broadcast(64, B)
    collectives.within(options, "cycles", check_allreduce(options).cycles, sum, sum)
  end
end
print(collectives.runs .. " collectives")

-- Timed by ping-pong: the law of a message on `model`. Elsewhere an instruction waits for what the one
-- before it stored: for its finish, start and drain more; where they overlap, for the latency of an element.
local function between(profile, B)
  if profile.vector_overlap == 1 then return math.max(0, profile.vector_latency_cycles - B) end
  return profile.vector_start_cycles + profile.vector_drain_cycles
end
for _, P in ipairs{2, 3, 64} do
  for _, B in ipairs{1, 7, 200} do
    for _, machine in ipairs{"model", "wse2", machines.wse2_before} do
      local options = {pattern = "ping-pong", P = P, B = B, machine = machine}
      local law = model.exact.broadcast(P, B) + between(wse.machine(machine), B)
      collectives.within(options, "cycles", check(broadcast.run, options).cycles, law, law)
    end
  end
end
for _, options in ipairs{{P = 1}, {width = 4, height = 4}, {P = 4, root = 1}} do
  options.pattern = "ping-pong"
  assert(not pcall(broadcast.run, options))
end
