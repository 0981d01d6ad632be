-- What the tests of the controller/worker machine share: random programs of the sizes that they are
-- promised for, and calls that are refused.
local random = require "mach.lib.random"
local wse = require "wse"

local mach = {machines = {"model", "wse2", "wse3"}}

-- Sizes of a seed: 4 x 2 to 24 x 6 workers, 2 to 16 response PEs.
local function sizes(seed)
  local source = random.source(seed + 1000)
  local width = 2 * source:integer(2, 12)
  return {seed = seed, width = width, height = 2 * source:integer(1, 3),
          response = 2 * source:integer(1, math.min(8, width // 2 - 1)),
          nz = source:integer(1, 24), rpcs = source:integer(0, 40), sections = source:integer(1, 12)}
end

-- Runs the program of a seed: words leave the merge PE in order (trace), arrays, scalars and what the
-- executive received are those of the reference.
local function check(seed, machine)
  local options = sizes(seed)
  local p, steps = random.program(options)
  local result = p:run(steps, {machine = machine, max_cycles = 1000000, trace = true})
  assert(result.differing == 0, string.format("seed %d on %s: %d elements differ: %s", seed, machine,
                                              result.differing, wse.json(options)))
  return result.cycles
end

local kAtOnce = 100  -- seeds of a sweep: what its processes may do is limited

-- Lists of the seeds first..last.
local function chunks(first, last)
  local list = {}
  for from = first, last, kAtOnce do
    local seeds = {}
    for seed = from, math.min(last, from + kAtOnce - 1) do seeds[#seeds + 1] = seed end
    list[#list + 1] = seeds
  end
  return list
end

function mach.programs(first, last)
  for _, seeds in ipairs(chunks(first, last)) do
    local rows = wse.sweep{over = {seed = seeds, machine = mach.machines}, run = function(point)
      return {cycles = check(point.seed, point.machine)}
    end}
    assert(#rows == #seeds * #mach.machines)
  end
end

-- f raises an error with the text.
function mach.refused(text, f, ...)
  local fine, message = pcall(f, ...)
  assert(not fine, text .. ": it ran")
  assert(tostring(message):find(text, 1, true), message)
end

-- Every message of the patterns on 16 x 16 PEs is where it should be.
function mach.messages(first, last)
  local message = require "mach.message"
  local lengths = {0, 1, 8, 31, 5}
  local function run(point)
    local result = message.run{width = 16, height = 16, pattern = point.pattern, seed = point.seed,
                               length = lengths[point.seed % #lengths + 1], costs = false,
                               machine = mach.machines[point.seed % 3 + 1], max_cycles = 1000000}
    assert(result.delivered == result.messages and result.wrong == 0,
           string.format("%s, seed %d: %d of %d messages", point.pattern, point.seed,
                         result.delivered, result.messages))
    return {cycles = result.cycles}
  end
  for _, seeds in ipairs(chunks(first, last)) do
    wse.sweep{over = {seed = seeds, pattern = {"random", "permutation", "transpose", "all-to-one"}},
              run = run}
  end
end

return mach
