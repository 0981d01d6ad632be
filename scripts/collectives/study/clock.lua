-- The clock method of RED 8.3 as a library: PEs whose cycle counters begin anywhere find a common clock
-- and a common start, run a collective with the authors' code, and tell when it began and ended.
--
-- Reading: the sign in the paper is wrong. With h cycles for a link, 1 in the paper, PE (i, j) samples its
-- reference h (i + j) + 2 cycles after the common time 0, so T' = T - T_R + h (i + j) + 2.
-- The wait of PE (i, j) is alpha h (M + N - i - j) writes; f32 writes go several to a cycle, so the alpha
-- that makes all start at once is the rate of writes, which no-ops lower.
--
--   clock.run{width = 64, height = 64, pattern = "xy-chain", B = 16}.start_skew
local allreduce = require "collectives.allreduce"
local checks = require "support.checks"
local clock_program = require "collectives.lib.clock_program"
local host = require "wse.host"
local input = require "collectives.lib.input"
local reduction = require "collectives.operations.reduction"
local format, floor, max, min = string.format, math.floor, math.max, math.min

local clock = {}

local kStep <const> = 0x9E3779B97F4A7C15

local function mixed(z)
  z = z + kStep
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  return z ~ (z >> 31)
end

-- How many no-ops the machine inserts before a vector instruction of PE `number` that starts in cycle
-- `start` and issues in so many cycles (vm/README.md).
local function noops_of(profile, number, start, issues)
  local state = mixed(mixed(mixed(profile.noop_seed) ~ number) ~ start)
  local count = 0
  while profile.noop_share > 0 and issues > 0 do
    state = state + kStep
    if (mixed(state) >> 32) * 1000000 >> 32 < profile.noop_share then
      count = count + 1
    else
      issues = issues - 1
    end
  end
  return count
end

-- Words that PE (x, y) writes in its wait.
local function writes_of(options, x, y)
  local links = options.width + options.height - x - y
  return max(1, floor(options.alpha * options.profile.hop_latency_cycles * links))
end

local function each_pe(options, visit)
  for y = 0, options.height - 1 do
    for x = 0, options.width - 1 do visit(x, y) end
  end
end

-- The largest less the least of value(x, y).
local function spread(options, value)
  local least, most = math.huge, -math.huge
  each_pe(options, function(x, y)
    local own = value(x, y)
    least, most = min(least, own), max(most, own)
  end)
  return most - least
end

-- {[y] = {[x] = {zero, reference, start, end}}}, counters of 32 bits.
local function stamps_of(record, options)
  local stamps = {}
  each_pe(options, function(x, y)
    stamps[y] = stamps[y] or {}
    stamps[y][x] = record:symbol(x, y, "clock_stamps")
  end)
  return stamps
end

local function since(later, earlier)
  local cycles = (later - earlier) & 0xffffffff
  return cycles < 1 << 31 and cycles or cycles - (1 << 32)
end

-- Returns for each PE {x, y, start, end_, global_start, global_end}: start and end by the method, and the same
-- on the clock of all PEs, both from the time 2 cycles before the root samples its reference. wait_start:
-- the cycle of the run in which its wait starts.
local function rows_of(stamps, options)
  local rows = {}
  local root = stamps[0][0]
  local zero = since(root[2], root[1]) - 2
  each_pe(options, function(x, y)
    local own = stamps[y][x]
    local shift = options.profile.hop_latency_cycles * (x + y) + 2
    rows[#rows + 1] = {
      x = x, y = y, wait_start = since(own[2], own[1]) + clock_program.before_wait(options.profile),
      start = since(own[3], own[2]) + shift, end_ = since(own[4], own[2]) + shift,
      global_start = since(own[3], own[1]) - zero, global_end = since(own[4], own[1]) - zero}
  end)
  return rows
end

local function range_of(rows, name)
  local least, most = math.huge, -math.huge
  for _, row in ipairs(rows) do
    least, most = min(least, row[name]), max(most, row[name])
  end
  return least, most
end

local function largest_difference(rows)
  local most = 0
  for _, row in ipairs(rows) do
    most = max(most, math.abs(row.start - row.global_start), math.abs(row.end_ - row.global_end))
  end
  return most
end

-- One run with one alpha.
local function run_once(options)
  local library = options.collective == "allreduce" and allreduce or reduction
  local most = 1
  each_pe(options, function(x, y) most = max(most, writes_of(options, x, y)) end)
  local wanted = {pattern = options.pattern, B = options.B, code = options.code,
                  machine = options.machine}
  if options.height == 1 then
    wanted.P = options.width
  else
    wanted.width, wanted.height = options.width, options.height
  end
  local layout, request = library.instrumented(wanted, clock_program.around)
  layout:const("clock_most", most)
  clock_program.route(layout, options.width, options.height)
  local numbers = input.make(options.width, options.height, 1, request.element)
  local record = layout:run{
    machine = options.machine, tsc_skew = options.skew, inputs = {
      x = numbers.given(options.B),
      clock_sends = function(x, y) return x + y == 0 and 1 or 0 end,
      clock_writes = function(x, y) return writes_of(options, x, y) end}}
  return rows_of(stamps_of(record, options), options), record
end

-- f32 words that a PE writes to memory in a cycle.
local function write_rate(profile)
  return max(1, min(profile.simd_32bit, profile.write_port_bytes // 4))
end

-- Returns the start skew that the method predicts: PE (x, y) hears the reference x + y links later, and waits as long
-- as its writes take, and the no-ops among them.
local function predicted_skew(options, rows)
  local profile, row = options.profile, 0
  local rate, hop = write_rate(profile), profile.hop_latency_cycles
  return spread(options, function(x, y)
    row = (row % #rows) + 1
    local cycles = (writes_of(options, x, y) + rate - 1) // rate
    local start = rows[row].wait_start
    return hop * (x + y) + cycles + noops_of(profile, y * options.width + x, start, cycles)
  end)
end

-- The alpha with which all would have started at once, from those of one run.
local function better_alpha(options, rows)
  local way = options.profile.hop_latency_cycles * (options.width + options.height - 2)
  local first, last = rows[1].start, rows[#rows].start
  return options.alpha / (1 - (last - first) / way)
end

local kMostCalibrations <const> = 4

local function check(options)
  checks.side("width", options.width, 1)
  checks.side("height", options.height, 1)
  checks.integer("B", options.B, 1)
  checks.integer("skew", options.skew, 0)
  if options.noop_seed then checks.integer("noop_seed", options.noop_seed, 0) end
  if options.width * options.height < 2 then
    host.raise("width = 1, height = 1: a common clock is for two PEs at least")
  end
  if options.alpha and not (options.alpha > 0 and options.alpha <= 16) then
    host.raise(format("alpha = %s: more than 0 and at most 16 is wanted", tostring(options.alpha)))
  end
  if options.noops and not (options.noops >= 0 and options.noops <= 0.9) then
    host.raise(format("noops = %s: a share of 0 to 0.9 is wanted", tostring(options.noops)))
  end
  checks.one_of("collective", options.collective, {"reduce", "allreduce"})
  checks.one_of("code", options.code, {"paper", "best", "measured"})
end

-- The machine, with other no-ops if these were asked for.
local function machine_of(options)
  local given = options.machine
  if not options.noops and not options.noop_seed then return given end
  local own = {base = type(given) == "string" and given or nil}
  for name, value in pairs(type(given) == "table" and given or {}) do own[name] = value end
  if options.noops then own.noop_share = floor(1000000 * options.noops + 0.5) end
  own.noop_seed = options.noop_seed
  return own
end

-- options: width, height, pattern, B, collective (reduce), code (paper), alpha (found by calibration),
-- skew = seed of the counters (1), machine; noops = noop_share of the machine, as a fraction, noop_seed: instead of
-- those of the machine. The result: start_skew,
-- predicted_skew, corrected_cycles, global_cycles, difference = the most that T' of a PE is off the
-- global clock, alpha, calibrations = runs; rows = of each PE; and the record of the last run.
function clock.run(given)
  local options = {collective = "reduce", code = "paper", skew = 1, B = 16}
  for name, value in pairs(given) do options[name] = value end
  check(options)
  options.machine = machine_of(options)
  options.profile = host.machine(options.machine)
  local calibrate = options.alpha == nil
  options.alpha = options.alpha or 1
  local rows, record = run_once(options)
  local calibrations = 1
  while calibrate and calibrations < kMostCalibrations do
    local alpha = better_alpha(options, rows)
    if math.abs(alpha - options.alpha) < 0.001 * options.alpha then break end
    options.alpha, calibrations = alpha, calibrations + 1
    rows, record = run_once(options)
  end
  local first_start, last_start = range_of(rows, "start")
  local _, last_end = range_of(rows, "end_")
  local global_first, global_last = range_of(rows, "global_start")
  local _, global_end = range_of(rows, "global_end")
  return {pattern = options.pattern, width = options.width, height = options.height, B = options.B,
          collective = options.collective, code = options.code, machine = record.machine, alpha = options.alpha,
          calibrations = calibrations, start_skew = last_start - first_start,
          predicted_skew = predicted_skew(options, rows), corrected_cycles = last_end - first_start,
          global_cycles = global_end - global_first, global_skew = global_last - global_first,
          difference = largest_difference(rows)}, rows, record
end

return clock
