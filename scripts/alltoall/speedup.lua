-- How many times as fast d cycles are as one, over d, on cubes without overhead (profile model: no start-ups,
-- duplex), for links of several rates:
--   wsevm run scripts/alltoall/speedup.lua out=out
-- Writes speedup.csv and speedup.svg. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local wse = require "wse"

local most = wse.argument("d", 8)
local m = wse.argument("m", 64)  -- elements per node and dimension
local out = wse.argument("out", "out")
wse.no_more_arguments()

-- Cycles per word of a link, as a factor of d: the ramp passes one word per cycle.
local kIntervals = {{name = "1", of = function() return 1 end},
                    {name = "d / 2", of = function(d) return (d + 1) // 2 end},
                    {name = "d", of = function(d) return d end},
                    {name = "2 d", of = function(d) return 2 * d end}}

local list = {}
for number = 1, #kIntervals do
  for d = 2, most do list[#list + 1] = {interval = number, d = d} end
end

local function cycles(algorithm, d, interval)
  local result = broadcast.run{
    algorithm = algorithm, d = d, m = m * d, type = "i32", steps = math.min(8, (1 << d) - 1),
    machine = {base = "model", memory_bytes = 1 << 22, link_interval = interval}}
  assert(result.max_abs_error == 0)
  return result.cycles
end

local rows = wse.sweep{points = list, order = {"interval", "d"}, title = "speed-up",
                       run = function(p)
  local interval = kIntervals[p.interval].of(p.d)
  local one, many = cycles("one-cycle", p.d, interval), cycles("d-cycles", p.d, interval)
  return {link_interval = interval, one_cycle = one, d_cycles = many, speedup = one / many}
end}
local columns = {"d", "link_interval", "one_cycle", "d_cycles", {name = "speedup", format = "%.2f"}}
print(wse.table(rows, columns))
wse.write_csv(out .. "/speedup.csv", rows,
              {"d", "link_interval", "one_cycle", "d_cycles", "speedup"})

local lines = {{name = "d", x = {}, y = {}, dashed = true, marks = false}}
for d = 2, most do lines[1].x[d - 1], lines[1].y[d - 1] = d, d end
for number, interval in ipairs(kIntervals) do
  local line = {name = "link_interval = " .. interval.name, number = number, x = {}, y = {}}
  for _, row in ipairs(rows) do
    if row.interval == number then
      line.x[#line.x + 1], line.y[#line.y + 1] = row.d, row.speedup
    end
  end
  lines[#lines + 1] = line
end
wse.plot{file = out .. "/speedup.svg", lines = lines, x_label = "dimensions",
         y_label = "one cycle / d cycles", title = "Broadcast without overhead: d cycles over one"}
