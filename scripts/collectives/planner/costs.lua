-- What a PE spends around the words of a reduction, in cycles, derived from a profile. Must hold no
-- constant of a machine. With loads of descriptors `load`, vector start and drain, task start:
--
--   code = "measured": each receive an instruction that ends in a task, and each instruction loads
--   its descriptors (two: vector and fabric; three for receive, add, send), as the authors' code
--     first_send = first_receive = 2 load + start          first_pass_on = 3 load + start
--     gap         = drain + task_start + 2 load + start    from the last word of a receive to the
--     gap_to_send = drain + task_start + 3 load + start    first one of the next instruction
--   code = "best": all descriptors loaded once, instructions follow each other in one task
--     first_send = 2 load + start        first_receive = first_pass_on = 3 load + start
--     gap = gap_to_send = drain + start
--   both
--     latency = 2 T_R + 1                from issue to issue, and one more for each link
--     last    = drain
--
-- On wse2 gap is 39 and gap_to_send 49 in measured code, on `model` all are 0 but the latency.
local host = require "wse.host"
local terms = require "collectives.model.terms"
local format = string.format

local costs = {}

local function measured(start, drain, task, load)
  return {first_send = 2 * load + start, first_receive = 2 * load + start,
          first_pass_on = 3 * load + start, gap = drain + task + 2 * load + start,
          gap_to_send = drain + task + 3 * load + start, last = drain}
end

local function best(start, drain, _, load)
  return {first_send = 2 * load + start, first_receive = 3 * load + start,
          first_pass_on = 3 * load + start, gap = drain + start, gap_to_send = drain + start,
          last = drain}
end

local codes = {measured = measured, best = best}

-- Of the profile options.machine (else that of the command line) and options.code (measured).
function costs.of(options)
  local name = options and options.code or "measured"
  local code = codes[name]
  if not code then host.raise(format("code = %s: best or measured is wanted", name)) end
  local profile = options and options.machine and host.machine(options.machine) or host.machine()
  local found = code(profile.vector_start_cycles, profile.vector_drain_cycles,
                     profile.task_start_cycles, profile.descriptor_load_cycles)
  found.latency = 2 * terms.ramp_latency(options) + 1
  return found
end

return costs
