-- Cycles that a PE spends around the words of a reduction, derived from a profile. Must hold no
-- constant of a machine. `open` is the start of a vector instruction whose descriptors are held, `shut`
-- what the next instruction waits for after the last issue: start and drain, both 0 where vector
-- instructions follow each other (vector_overlap). Then `settle` is the start, counted from the last
-- load of a descriptor, and what sees the finish waits for the drain:
--
--   code = "paper", "measured": the loop of lib/published_code.lua
--     entry          = variable + simple + taken
--     questions      = 2 (variable + untaken)                   does it receive, does it send
--     first_send     = entry + variable + taken + open
--     first_receive  = variable + 2 simple + untaken + open
--     first_pass_on  = entry + questions + open                 first_at_root: its last one is taken
--     gap            = shut + taken + simple + open             from the last word of a receive to the
--     gap_to_send    = max(drain, shut + untaken)               first one of the next instruction
--                      + questions + open                       gap_to_root: its last one is taken
--     last           = drain + variable + taken, and of "paper" a task that is activated
--     "measured" fetches 3 descriptors in front of a receive, when all has drained, 2 in front of a
--     send, and settles; "paper" settles from `begin` on
--     again          = latency of an element: from the first issue of a receive to that of the next
--                      instruction, which touches the same words
--   code = "best": all descriptors loaded before, instructions follow each other in one task; receives
--   on one colour are one instruction, and so are all of the root
--     each first = open, or settle   gap = gap_to_root = 0   last = drain
--     gap_to_send    = shut + open, or until the latency of the last element is over
--   all
--     latency        = 2 T_R + 1                from issue to issue, and `hop` more for each link
--
-- On wse2 gap is 4 with the paper's code, 39 as measured; on `model` all are 0 but the latency.
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local format, max = string.format, math.max

local costs = {}

-- The parts of which costs are sums.
local function parts_of(profile)
  local follows = profile.vector_overlap == 1
  local start, drain = profile.vector_start_cycles, profile.vector_drain_cycles
  return {simple = profile.simple_cycles, variable = profile.load_cycles,
          untaken = profile.branch_cycles, taken = profile.branch_taken_cycles,
          fetch = profile.descriptor_fetch_cycles, drain = drain,
          open = follows and 0 or start, shut = follows and 0 or drain,
          settle = follows and start or 0, again = follows and profile.vector_latency_cycles or 0}
end

-- The scalar code of the loop: around its vector instructions, each `first` from `begin` on.
local function scalar_code(of)
  local entry = of.variable + of.simple + of.taken
  local ask = of.variable + of.untaken
  local exit = max(of.drain, of.shut + of.untaken)
  return {first_send = entry + of.variable + of.taken,
          first_receive = of.variable + 2 * of.simple + of.untaken,
          first_pass_on = entry + 2 * ask,
          first_at_root = entry + ask + of.variable + of.taken,
          gap = of.shut + of.taken + of.simple, gap_to_send = exit + 2 * ask,
          gap_to_root = exit + ask + of.variable + of.taken,
          last = of.drain + of.variable + of.taken}
end

local kFirsts <const> = {"first_send", "first_receive", "first_pass_on", "first_at_root"}
local kGaps <const> = {"gap", "gap_to_send", "gap_to_root"}

local function paper(of, profile)
  local found = scalar_code(of)
  for _, name in ipairs(kFirsts) do found[name] = max(found[name] + of.open, of.settle) end
  for _, name in ipairs(kGaps) do found[name] = found[name] + of.open end
  found.last = found.last + of.simple + profile.task_start_cycles
  return found
end

local function measured(of)
  local found = scalar_code(of)
  found.gap = max(found.gap, of.drain)
  for _, names in ipairs{kFirsts, kGaps} do
    for _, name in ipairs(names) do
      local count = name == "first_send" and 2 or 3
      found[name] = found[name] + count * of.fetch + of.open + of.settle
    end
  end
  return found
end

local function best(of)
  local found = {gap = 0, gap_to_root = 0, last = of.drain,
                 gap_to_send = max(of.shut + of.open, of.again - 1)}
  for _, name in ipairs(kFirsts) do found[name] = of.open + of.settle end
  return found
end

local codes = {paper = paper, measured = measured, best = best}

local function profile_of(options)
  return options and options.machine and host.machine(options.machine) or host.machine()
end

-- Returns the costs of options.code (best, as generators run by default) on the profile options.machine,
-- else on that of the command line.
function costs.of(options)
  local name = options and options.code or "best"
  local code = codes[name]
  if not code then host.raise(format("code = %s: best, paper or measured is wanted", name)) end
  local profile = profile_of(options)
  local of = parts_of(profile)
  local found = code(of, profile)
  found.again = name ~= "best" and of.again or 0
  found.latency = 2 * terms.ramp_latency(options) + 1
  found.hop = terms.hop_latency(options)
  return found
end

-- Returns costs of code = "best" where each message of a PE has a colour of its own, so that each
-- receive is an instruction.
function costs.apart(options)
  local given = {}
  for name, value in pairs(options or {}) do given[name] = value end
  given.code = "best"
  local found, of = costs.of(given), parts_of(profile_of(given))
  found.again = of.again
  for _, name in ipairs(kGaps) do found[name] = of.shut + of.open end
  return found
end

return costs
