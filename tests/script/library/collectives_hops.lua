-- Machines of other latencies of hops and ramps: the planner's cost is the run, to the cycle, and Eq. 1
-- is off by no more than where a hop takes one. Routers and ramps are deep enough for the rate of the links.
local broadcast = require "collectives.broadcast"
local model = require "collectives.model"
local planner = require "collectives.planner"
local reduce = require "collectives.reduce"

local function machine_of(hop, ramp)
  return {base = "model", hop_latency = hop, router_depth = 2 * hop, ramp_latency = ramp,
          up_ramp_depth = ramp + 2, down_ramp_depth = ramp + 2}
end

for _, latencies in ipairs{{1, 2}, {2, 2}, {5, 2}, {1, 1}, {2, 7}, {3, 4}} do
  local hop, ramp = latencies[1], latencies[2]
  local machine = machine_of(hop, ramp)
  for _, size in ipairs{{2, 1}, {8, 4}, {24, 16}, {40, 1}} do
    local P, B = size[1], size[2]
    local options = {P = P, B = B, machine = machine}
    local plan = planner.plan(P, B, {planner = "profile", machine = machine, code = "best"})
    local run = reduce.run{pattern = "auto-gen", planner = "profile", P = P, B = B, machine = machine}
    assert(plan.cost == run.cycles, ("hop %d, T_R %d, P %d, B %d: planned %d, run %d"):format(
      hop, ramp, P, B, plan.cost, run.cycles))
    options.pattern = "flood"
    local flood = broadcast.run(options)
    assert(flood.cycles == flood.model_cycles, ("flood, hop %d, P %d"):format(hop, P))
    options.pattern = "chain"
    local chain = reduce.run(options)
    assert(chain.cycles == chain.model_cycles, ("chain, hop %d, P %d"):format(hop, P))
    local bound = math.huge  -- over all depths, as RED 5.6 has it, with h for each link
    for D = 1, P - 1 do
      bound = math.min(bound, B * (2 * (P - 1) - D) / (P - 1) + hop * (P - 1) + D * (2 * ramp + 1))
    end
    assert(math.abs(chain.lower_bound_cycles - bound) < 1e-9)
    options.pattern = "star"
    local star = reduce.run(options)  -- the paper leaves out a cycle of the first link
    assert(star.cycles == star.model_cycles + 1, ("star, hop %d, P %d: %d, %d"):format(
      hop, P, star.cycles, star.model_cycles))
  end
end

-- An option of the model itself goes before the machine's.
assert(model.row.message(5, 1, {machine = "model", hop_latency_cycles = 3}).cycles
       == model.row.message(5, 1, {machine = "model"}).cycles + 2 * 4)
