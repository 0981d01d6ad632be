-- What a PE spends around the words of a reduction, in cycles, derived from a profile. Must hold no
-- constant of a machine. With loads of descriptors `load`, vector start and drain, and the prices of
-- scalar code: a simple instruction, a variable from memory, a taken branch:
--
--   code = "paper", "measured": the loop of lib/published_code.lua
--     turn        = simple + taken                         of the loop
--     questions   = 2 (variable + simple)                  does it receive, does it send
--     first_receive = variable + 3 simple + start          first_pass_on = entry + questions + start
--     first_send  = entry + variable + taken + start       entry = variable + simple + taken
--     gap         = drain + turn + start                   from the last word of a receive to the
--     gap_to_send = drain + simple + questions + start     first one of the next instruction
--     last        = drain + variable + taken, and of "paper" a task that is activated
--     "measured" has 3 loads more in front of a receive, 2 in front of a send
--   code = "best": all descriptors loaded once, instructions follow each other in one task
--     first_send = 2 load + start        first_receive = first_pass_on = 3 load + start
--     gap = gap_to_send = drain + start  last = drain
--   all
--     latency = 2 T_R + 1                from issue to issue, and `hop` more for each link
--
-- On wse2 gap is 10 with the paper's code, 40 as measured, 6 at best; on `model` all are 0 but the
-- latency.
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local format = string.format

local costs = {}

local function published(profile)
  local simple, variable = profile.simple_cycles, profile.load_cycles
  local taken, start = profile.branch_taken_cycles, profile.vector_start_cycles
  local drain = profile.vector_drain_cycles
  local entry, questions = variable + simple + taken, 2 * (variable + simple)
  return {first_send = entry + variable + taken + start,
          first_receive = variable + 3 * simple + start,
          first_pass_on = entry + questions + start,
          gap = drain + simple + taken + start, gap_to_send = drain + simple + questions + start,
          last = drain + variable + taken}
end

local function paper(profile)
  local found = published(profile)
  found.last = found.last + profile.simple_cycles + profile.task_start_cycles
  return found
end

local function measured(profile)
  local found, load = published(profile), profile.descriptor_load_cycles
  for _, name in ipairs{"first_receive", "first_pass_on", "gap", "gap_to_send"} do
    found[name] = found[name] + 3 * load
  end
  found.first_send = found.first_send + 2 * load
  return found
end

local function best(profile)
  local start, drain = profile.vector_start_cycles, profile.vector_drain_cycles
  local load = profile.descriptor_load_cycles
  return {first_send = 2 * load + start, first_receive = 3 * load + start,
          first_pass_on = 3 * load + start, gap = drain + start, gap_to_send = drain + start,
          last = drain}
end

local codes = {paper = paper, measured = measured, best = best}

-- Of the profile options.machine (else that of the command line) and options.code (measured).
function costs.of(options)
  local name = options and options.code or "measured"
  local code = codes[name]
  if not code then host.raise(format("code = %s: best, paper or measured is wanted", name)) end
  local profile = options and options.machine and host.machine(options.machine) or host.machine()
  local found = code(profile)
  found.latency = 2 * terms.ramp_latency(options) + 1
  found.hop = terms.hop_latency(options)
  return found
end

return costs
