-- The clock method of RED 8.3 as a library: PEs whose cycle counters begin anywhere find a common clock
-- and a common start, run a collective with the authors' code, and tell when it began and ended.
--
-- Reading: the sign in the paper is wrong. PE (i, j) samples its reference i + j + 2 cycles after the
-- common time 0, so T' = T - T_R + (i + j + 2).
-- The wait of PE (i, j) is alpha (M + N - i - j) writes; f32 writes go several to a cycle, so the alpha
-- that makes all start at once is the rate of writes, which no-ops lower.
--
--   clock.run{width = 64, height = 64, pattern = "xy-chain", B = 16}.start_skew
local allreduce = require "collectives.allreduce"
local clock_program = require "collectives.lib.clock_program"
local host = require "wse.host"
local input = require "collectives.lib.input"
local reduction = require "collectives.lib.reduction"
local format, floor, max, min = string.format, math.floor, math.max, math.min

local clock = {}

local function hash(seed, x, y)
  local z = seed * 0x9E3779B97F4A7C15 + x * 0xBF58476D1CE4E5B9 + y * 0x94D049BB133111EB
  z = (z ~ (z >> 31)) * 0xBF58476D1CE4E5B9
  return (z ~ (z >> 29)) & 0x7fffffff
end

-- How many no-ops a PE inserts into a wait of so many cycles: before each cycle one more with the
-- probability `share`, and one more ...
local function noops_of(cycles, x, y, share, seed)
  if share == 0 then return 0 end
  local state, count = hash(seed, x, y), 0
  local k = 0
  while k < cycles do
    state = (state * 1103515245 + 12345) & 0x7fffffff
    if (state >> 8) / (1 << 23) < share then count = count + 1 else k = k + 1 end
  end
  return count
end

-- Words that PE (x, y) writes: those of the wait, and for each no-op those of a cycle.
local function writes_of(options, x, y)
  local wait = max(1, floor(options.alpha * (options.width + options.height - x - y)))
  local cycles = (wait + options.rate - 1) // options.rate
  return wait + options.rate * noops_of(cycles, x, y, options.noops, options.noop_seed)
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

-- Of each PE {x, y, start, end_, global_start, global_end}: start and end by the method, and the same
-- on the clock of all PEs, both from the time 2 cycles before the root samples its reference.
local function rows_of(stamps, options)
  local rows = {}
  local root = stamps[0][0]
  local zero = since(root[2], root[1]) - 2
  each_pe(options, function(x, y)
    local own = stamps[y][x]
    local shift = x + y + 2
    rows[#rows + 1] = {
      x = x, y = y, start = since(own[3], own[2]) + shift, end_ = since(own[4], own[2]) + shift,
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
  local wanted = {pattern = options.pattern, B = options.B, code = "paper",
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
      x = numbers.value,
      clock_sends = function(x, y) return x + y == 0 and 1 or 0 end,
      clock_writes = function(x, y) return writes_of(options, x, y) end}}
  return rows_of(stamps_of(record, options), options), record
end

-- What start skew the method predicts: PE (x, y) hears the reference x + y later, and waits as long
-- as its writes take.
local function predicted_skew(options)
  return spread(options, function(x, y)
    return x + y + (writes_of(options, x, y) + options.rate - 1) // options.rate
  end)
end

-- The alpha with which all would have started at once, from those of one run.
local function better_alpha(options, rows)
  local links = options.width + options.height - 2
  local first, last = rows[1].start, rows[#rows].start
  return options.alpha / (1 - (last - first) / links)
end

local kMostCalibrations <const> = 4

local function check(options)
  for _, name in ipairs{"width", "height", "B"} do
    if math.type(options[name]) ~= "integer" or options[name] < 1 then
      host.raise(format("%s = %s: an integer of at least 1 is wanted", name,
                        tostring(options[name])))
    end
  end
  if options.width * options.height < 2 then host.raise("a common clock is for two PEs at least") end
  if options.alpha and not (options.alpha > 0 and options.alpha <= 16) then
    host.raise(format("alpha = %s: more than 0 and at most 16 is wanted", tostring(options.alpha)))
  end
  if not (options.noops >= 0 and options.noops <= 0.9) then
    host.raise(format("noops = %s: a share of 0 to 0.9 is wanted", tostring(options.noops)))
  end
  if options.collective ~= "reduce" and options.collective ~= "allreduce" then
    host.raise(format("collective = %s: reduce or allreduce is wanted",
                      tostring(options.collective)))
  end
end

-- options: width, height, pattern, B, collective (reduce), alpha (found by calibration), skew = seed of
-- the counters (1), noops = share of the wait (0), noop_seed (1), machine. The result: start_skew,
-- predicted_skew, corrected_cycles, global_cycles, difference = the most that T' of a PE is off the
-- global clock, alpha, calibrations = runs; rows = of each PE; and the record of the last run.
function clock.run(given)
  local options = {collective = "reduce", skew = 1, noops = 0, noop_seed = 1, B = 16}
  for name, value in pairs(given) do options[name] = value end
  check(options)
  options.rate = host.machine(options.machine).simd_32bit
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
          collective = options.collective, machine = record.machine, alpha = options.alpha,
          calibrations = calibrations, start_skew = last_start - first_start,
          predicted_skew = predicted_skew(options), corrected_cycles = last_end - first_start,
          global_cycles = global_end - global_first, global_skew = global_last - global_first,
          difference = largest_difference(rows)}, rows, record
end

return clock
