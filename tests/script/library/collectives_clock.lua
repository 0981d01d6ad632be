-- The clock method: with counters that begin anywhere T' of every PE is the global clock, the start skew
-- is what the method predicts, and calibration brings it to nothing where the machine has no no-ops.
local clock = require "collectives.clock"
local machines = require "support.machines"

local function check(options, most_skew)
  local result, rows = clock.run(options)
  local text = ("%s on %d x %d, seed %s"):format(options.pattern, options.width, options.height,
                                                tostring(options.skew))
  assert(#rows == options.width * options.height, text)
  assert(result.difference == 0, text .. ": off by " .. result.difference)
  assert(result.start_skew == result.predicted_skew and result.start_skew == result.global_skew, text)
  assert(result.corrected_cycles == result.global_cycles, text)
  assert(result.start_skew <= most_skew, text .. ": start skew " .. result.start_skew)
  return result, rows
end

-- All PEs of 64 x 64.
for _, skew in ipairs{1, 2, 77, 1234567} do
  local result = check({pattern = "xy-auto-gen", width = 64, height = 64, B = 8, skew = skew}, 0)
  assert(math.abs(result.alpha - 2) < 0.001)  -- two f32 writes to a cycle
end
local skewed = {}
for _, skew in ipairs{5, 6} do
  local result, rows = check({pattern = "xy-two-phase", width = 64, height = 64, B = 1, skew = skew,
                              collective = "allreduce"}, 0)
  skewed[skew] = result.corrected_cycles
  assert(rows[1].x == 0 and rows[4096].y == 63 and rows[1].start == rows[1].global_start)
end
assert(skewed[5] == skewed[6])

-- Rows, the other patterns, another wait; no-ops in it.
for _, pattern in ipairs{"chain", "star", "tree", "two-phase", "auto-gen"} do
  check({pattern = pattern, width = 16, height = 1, B = 3}, 0)
end
check({pattern = "snake", width = 5, height = 4, B = 3}, 0)
check({pattern = "xy-star", width = 1, height = 6, B = 3}, 0)

-- Machines of every latency of ramps and hops, and those on which a vector instruction need not wait for
-- the one before; all codes.
local function way(ramp, hop)
  return {base = "wse2", ramp_latency = ramp, hop_latency = hop, router_depth = 2 * hop,
          up_ramp_depth = ramp + 4, down_ramp_depth = ramp + 4}
end
local codes = {"paper", "best", "measured"}
for ramp = 1, 5, 2 do
  for hop = 1, 3 do
    for _, size in ipairs{{24, 1}, {5, 4}} do
      local pattern = size[2] == 1 and "chain" or "xy-auto-gen"
      check({pattern = pattern, width = size[1], height = size[2], B = 3, machine = way(ramp, hop),
             code = codes[(ramp + hop) % 3 + 1]}, 0)
    end
  end
end
for k, of in ipairs(machines.all) do
  for j, code in ipairs(codes) do
    check({pattern = "tree", width = 20, height = 1, B = 4, machine = of[2], code = code,
           collective = (k + j) % 2 == 0 and "reduce" or "allreduce"}, 0)
  end
end
check({pattern = "chain", width = 600, height = 1, B = 4, machine = "wse3"}, 0)
-- A wait of 1.629 writes for each link, and nothing that slows them: (1 - 1.629 / 2) 511 cycles.
local result = check({pattern = "chain", width = 512, height = 1, B = 1, alpha = 1.629}, 96)
assert(result.start_skew >= 94)
-- No-ops in each wait such that 1.629 fits, as on the wafer: what is left is that they are random.
local share = 1 - 1.629 / 2
local with = check({pattern = "chain", width = 512, height = 1, B = 1, alpha = 1.629, noops = share},
                   80)
assert(with.start_skew > 5)
local found = check({pattern = "chain", width = 512, height = 1, B = 1, noops = share}, 120)
assert(found.alpha > 1.4 and found.alpha < 1.9 and found.calibrations > 1)
assert(check({pattern = "chain", width = 64, height = 1, B = 1, noops = 0.2, noop_seed = 2},
             60).start_skew > 0)
-- The no-ops are the machine's: whoever asks for its option gets the same, and another seed others.
local function seeded(seed, machine)
  local options = {pattern = "chain", width = 64, height = 1, B = 1, alpha = 1.6, machine = machine}
  if not machine then options.noops, options.noop_seed = 0.2, seed end
  local _, rows = check(options, 60)
  local starts = {}
  for k, row in ipairs(rows) do starts[k] = row.start end
  return table.concat(starts, " ")
end
assert(seeded(5) == seeded(nil, {noop_share = 200000, noop_seed = 5}))
assert(seeded(5) ~= seeded(6))

local function refused(options, text)
  for name, value in pairs{pattern = "chain", width = 8, height = 1} do
    if options[name] == nil then options[name] = value end
  end
  local ok, message = pcall(clock.run, options)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end
refused({width = 0}, "width = 0: an integer of at least 1")
refused({width = 1}, "two PEs at least")
refused({alpha = 0.0}, "alpha = 0.0: more than 0")
refused({noops = 1.0}, "noops = 1.0: a share of 0 to 0.9")
refused({code = "fast"}, "code = fast: paper, best or measured is wanted")
refused({collective = "broadcast"}, "collective = broadcast: reduce or allreduce")
refused({pattern = "xy-chain"}, "a row has patterns without xy-")
refused({skew = -1}, "skew = -1: an integer of at least 0")
