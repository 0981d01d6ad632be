-- From which size on d cycles (profile cm200) beat one cycle (cm200-news) in a broadcast of 64-bit
-- elements, the local reordering included, with computed indices and with indices that move (Table 9):
--   wsevm run scripts/alltoall/crossover.lua out=out
-- Writes crossover.csv and crossover.svg. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local published = require "alltoall.study.published"
local wse = require "wse"

local most = wse.argument("nodes", 64)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kMost = 512  -- elements

local function time(algorithm, d, m, index)
  local result = broadcast.run{algorithm = algorithm, d = d, m = m, type = "f64-as-pairs",
                               index = index,
                               machine = algorithm == "one-cycle" and "cm200-news" or "cm200"}
  assert(result.max_abs_error == 0)
  return result.cycles + result.reorder_cycles
end

-- The least m for which d cycles take less; times are nearly linear, so halves are searched.
local function threshold(d, index)
  local low, high = 0, kMost + 1
  while high - low > 1 do
    local m = (low + high) // 2
    if time("d-cycles", d, m, index) < time("one-cycle", d, m) then high = m else low = m end
  end
  return high <= kMost and high or nil
end

local list, paper = {}, {}
for _, row in ipairs(published.table9) do paper[row[1]] = {compute = row[2], move = row[3]} end
for d = 1, 11 do
  for _, index in ipairs{"compute", "move"} do
    if 1 << d <= most then list[#list + 1] = {nodes = 1 << d, index = index} end
  end
end
local rows = wse.sweep{points = list, order = {"nodes", "index"}, title = "crossovers",
                       run = function(p)
  local d = 0
  while 1 << d < p.nodes do d = d + 1 end
  return {from = threshold(d, p.index) or 0}
end}
for _, row in ipairs(rows) do
  row.published = paper[row.nodes] and paper[row.nodes][row.index]
  if row.from == 0 then row.from = nil end
end
print(wse.table(rows, {"nodes", "index", {name = "from", title = "from m ="}, "published"}))
wse.write_csv(out .. "/crossover.csv", rows, {"nodes", "index", "from", "published"})

local lines = {}
for number, index in ipairs{"compute", "move"} do
  for _, column in ipairs{"from", "published"} do
    local line = {name = string.format("%s, %s", index, column == "from" and "run" or "published"),
                  x = {}, y = {}, number = number, dashed = column == "published"}
    for _, row in ipairs(rows) do
      if row.index == index and row[column] then
        line.x[#line.x + 1], line.y[#line.y + 1] = row.nodes, row[column]
      end
    end
    if #line.x > 0 then lines[#lines + 1] = line end
  end
end
wse.plot{file = out .. "/crossover.svg", lines = lines, log = "xy", x_label = "nodes",
         y_label = "64-bit elements per node",
         title = "From here on d cycles beat one, reordering included"}
