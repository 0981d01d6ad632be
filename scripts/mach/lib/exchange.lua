-- The cost of an exchange with all four neighbours, and whether every word arrives, through the middle
-- rows too.
local checks = require "support.checks"
local command = require "mach.lib.command"
local vm = require "mach.vm"
local wse = require "wse"

local exchange = {}

exchange.arguments = {{"width", 16}, {"height", 12}, {"nz", 16}, {"type", "f32"}}

local kTimes = 4  -- exchanges that are timed, beyond one

local function program(o, times)
  local p = vm.program{width = o.width, height = o.height, response = 2}
  p:array("a", o.type, o.nz, function(x, y, i)
    local v = (x * 5 + y * 3 + i * 7) % 64
    return o.type == "i32" and v or v / 2
  end)
  for k = 0, 3 do p:array("from" .. k, o.type, o.nz) end
  local calls = {}
  for k = 1, times do
    calls[k] = {"exchange_" .. o.type, a = "a", length = o.nz, d0 = "from0", d1 = "from1",
                d2 = "from2", d3 = "from3"}
  end
  return p, {{"section", p:section(calls)}}
end

function exchange.run(o)
  command.even("width", o.width, 4, 1024)
  command.even("height", o.height, 2, 1024)
  checks.integer("nz", o.nz, 1, 2000)
  checks.one_of("type", o.type, {"f32", "f16", "i32"})
  local one, steps = program(o, 1)
  local result = one:run(steps, {machine = o.machine})
  local more, more_steps = program(o, 1 + kTimes)
  local cycles = more:run(more_steps, {machine = o.machine, check = false}).cycles
  return {cycles = result.cycles, cycles_per_direction = (cycles - result.cycles) / (4 * kTimes),
          max_abs_error = result.max_abs_error, differing = result.differing,
          colours = result.colours, machine = wse.machine(o.machine).name}
end

function exchange.shown(o, result)
  return string.format("%d x %d workers, %d words with each neighbour on %s: %g cycles for a "
                       .. "direction, %d elements differ", o.width, o.height, o.nz, result.machine,
                       result.cycles_per_direction, result.differing)
end

return exchange
