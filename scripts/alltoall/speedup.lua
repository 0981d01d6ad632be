-- How many times as fast d cycles are as one, over d, on cubes without overhead (profile model: no
-- start-ups, duplex), for links of several rates:
--   wsevm run scripts/alltoall/speedup.lua out=out
-- study/study.lua has the arguments of all studies. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local study = require "support.study"
local wse = require "wse"

local most = study.integer("d", 11, 2, 12)
local m = study.integer("m", 64, 1)  -- elements per node and dimension
local self = study.begin("speedup")

-- Cycles per word of a link; the ramp passes one word per cycle.
local intervals = {{name = "1", of = function() return 1 end},
                   {name = "d / 2", of = function(d) return (d + 1) // 2 end},
                   {name = "d", of = function(d) return d end},
                   {name = "2 d", of = function(d) return 2 * d end}}

local kSteps = 4  -- all take the same time

local points = {}
for number = 1, #intervals do
  for d = 2, most do points[#points + 1] = {interval = intervals[number].name, d = d} end
end

local function cycles(algorithm, d, interval)
  local result = broadcast.run{
    algorithm = algorithm, d = d, m = m * d, type = "i32", steps = math.min(kSteps, (1 << d) - 1),
    machine = {base = "model", memory_bytes = 1 << 22, link_interval = interval}}
  assert(result.max_abs_error == 0)
  return result.cycles
end

local rows = study.rows(self, points, {"interval", "d"}, function(p)
  local of
  for _, interval in ipairs(intervals) do
    if interval.name == tostring(p.interval) then of = interval.of end
  end
  local one, many = cycles("one-cycle", p.d, of(p.d)), cycles("d-cycles", p.d, of(p.d))
  return {cycles_per_word = of(p.d), one_cycle = one, d_cycles = many, speedup = one / many}
end)

local lines = {{name = "d", number = 5, x = {}, y = {}, dashed = true, marks = false}}
for d = 2, most do lines[1].x[d - 1], lines[1].y[d - 1] = d, d end
local texts = {}
for number, interval in ipairs(intervals) do
  local function is(row) return row.interval == interval.name end
  lines[number + 1] = study.line("link_interval = " .. interval.name, number, rows, "d", "speedup",
                                 is)
  texts[number] = {link_interval = interval.name}
  for _, row in ipairs(rows) do
    if is(row) then texts[number]["d=" .. row.d] = string.format("%.2f", row.speedup) end
  end
end
local columns = {"link_interval"}
for d = 2, most do columns[d] = "d=" .. d end
print(wse.table(texts, columns))
study.draw(self, {lines = lines, x_label = "dimensions", y_label = "one cycle / d cycles",
                  title = "Broadcast without overhead: d cycles over one"})
