-- The cost terms of Near-Optimal Wafer-Scale Reduce (Luczynski et al., 2024; below RED), Table 1,
-- and its Eq. 1. Pure arithmetic: must never run a machine; of the profile it takes T_R and the
-- latency of a hop alone, which is 1 in the paper.
--
--   E  energy       link hops of all wavelets together
--   L  distance     links on the longest way of a value to the root, over all PEs that pass it on
--   D  depth        longest chain of PEs of which each waits for the one before
--   C  contention   most wavelets that one PE receives
--   N  links        directed links in use
--
-- An estimate is {cycles =, terms = {E =, L =, D =, C =, N =}}; of a collective made of several
-- that follow each other also {parts = {estimate, ...}}. B counts wavelets (32 bits), P PEs.
local host = require "wse.host"
local trees = require "collectives.lib.trees"
local math_type, tointeger, max, format = math.type, math.tointeger, math.max, string.format

local terms = {}

local profiles = {}

-- A parameter in cycles: of `options` itself, else of the profile options.machine, else of the
-- profile of the command line.
local function latency(name, options)
  if options and options[name] then return options[name] end
  local machine = options and options.machine or ""
  if not profiles[machine] then
    profiles[machine] = machine == "" and host.machine() or host.machine(machine)
  end
  return profiles[machine][name]
end

-- T_R.
function terms.ramp_latency(options) return latency("ramp_latency_cycles", options) end

-- The cycles that a word takes over a link.
function terms.hop_latency(options) return latency("hop_latency_cycles", options) end

-- T_R of the profile `model`, of whose machine the exact laws of the patterns are.
function terms.ramp_latency_of_model() return terms.ramp_latency{machine = "model"} end

-- An integer where the value is one: 133, not 133.0.
function terms.number(value) return tointeger(value) or value end

-- Refuses what is no count of at least `least`.
function terms.check(name, value, least)
  if math_type(value) ~= "integer" or value < least then
    host.raise(format("%s = %s: an integer of at least %d is wanted", name, value, least))
  end
end

-- Refuses a row of P PEs with B wavelets each that does not exist.
function terms.check_row(P, B)
  terms.check("P", P, 1)
  terms.check("B", B, 1)
end

-- A grid of width x height PEs with B wavelets each.
function terms.check_grid(width, height, B)
  terms.check("width", width, 1)
  terms.check("height", height, 1)
  terms.check("B", B, 1)
end

-- Eq. 1: T = max(C, E/N + h L) + (2 T_R + 1) D, where h is the latency of a hop, 1 in the paper.
-- Without a link nothing moves and nothing waits.
function terms.equation_1(t, options)
  if t.N == 0 then return 0 end
  local ramps = 2 * terms.ramp_latency(options) + 1
  return terms.number(max(t.C, t.E / t.N + terms.hop_latency(options) * t.L) + ramps * t.D)
end

function terms.estimate(t, options)
  return {cycles = terms.equation_1(t, options), terms = t}
end

-- Returns the terms of a tree in pre-order (lib/trees.lua) of at least two PEs, each with B words.
function terms.of_tree(tree, B)
  local t = trees.measure(tree)
  return {E = B * t.hops, L = tree.size - 1, D = t.depth, C = B * t.most, N = tree.size - 1}
end

-- Returns the terms of a row of one PE, which costs nothing.
function terms.nothing() return {cycles = 0, terms = {E = 0, L = 0, D = 0, C = 0, N = 0}} end

-- Parts that follow each other. Each is an estimate, or {estimate, copies = k} for k of them side
-- by side on links of their own. Cycles add up (RED 6.1, 7.2, 7.4: sums of T, not Eq. 1 of the
-- sums); so do L, D and C of the parts, and E and N of all copies, since no part uses a link of
-- another one.
function terms.in_sequence(parts)
  local sum, cycles, estimates = {E = 0, L = 0, D = 0, C = 0, N = 0}, 0, {}
  for k, part in ipairs(parts) do
    local estimate, copies = part[1] or part, part.copies or 1
    local t = estimate.terms
    cycles = cycles + estimate.cycles
    sum.E, sum.N = sum.E + copies * t.E, sum.N + copies * t.N
    sum.L, sum.D, sum.C = sum.L + t.L, sum.D + t.D, sum.C + t.C
    estimates[k] = estimate
  end
  return {cycles = terms.number(cycles), terms = sum, parts = estimates}
end

return terms
