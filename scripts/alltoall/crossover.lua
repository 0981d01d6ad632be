-- From which size on d cycles (profile cm200) beat one cycle (cm200-news) in a broadcast of 64-bit
-- elements, local reordering included, with computed indices and with indices that move (Table 9):
--   wsevm run scripts/alltoall/crossover.lua out=out
-- study/study.lua has the arguments of all studies. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local published = require "alltoall.study.published"
local study = require "support.study"
local wse = require "wse"

local most = study.integer("nodes", 64, 2, 4096)
local self = study.begin("crossover")

local kMost = 512  -- elements per node

local function time(algorithm, d, m, index)
  local result = broadcast.run{algorithm = algorithm, d = d, m = m, type = "f64-as-pairs",
                               index = index,
                               machine = algorithm == "one-cycle" and "cm200-news" or "cm200"}
  assert(result.max_abs_error == 0)
  return result.cycles + result.reorder_cycles
end

-- The least m for which d cycles take less, 0 if there is none; times are nearly linear in m, so
-- halves are searched.
local function threshold(d, index)
  local low, high = 0, kMost + 1
  while high - low > 1 do
    local m = (low + high) // 2
    if time("d-cycles", d, m, index) < time("one-cycle", d, m) then high = m else low = m end
  end
  return high <= kMost and high or 0
end

local points, paper = {}, {}
for _, row in ipairs(published.table9) do paper[row[1]] = {compute = row[2], move = row[3]} end
for d = 1, study.dimensions(most) do
  for _, index in ipairs{"compute", "move"} do
    points[#points + 1] = {nodes = 1 << d, index = index}
  end
end
local rows = study.rows(self, points, {"nodes", "index"}, function(p)
  return {from = threshold(study.dimensions(p.nodes), p.index)}
end)
for _, row in ipairs(rows) do
  row.published = paper[row.nodes] and paper[row.nodes][row.index]
  if row.from == 0 then row.from = nil end
end
print(wse.table(rows, {"nodes", "index", {name = "from", title = "from m ="}, "published"}))

local lines = {}
for number, index in ipairs{"compute", "move"} do
  local function is(row) return row.index == index end
  lines[#lines + 1] = study.line(index .. ", run", number, rows, "nodes", "from", is)
  lines[#lines + 1] = study.line(index .. ", published", number, rows, "nodes", "published", is)
  lines[#lines].dashed = true
end
study.draw(self, {lines = lines, log = "xy", x_label = "nodes",
                  y_label = "64-bit elements per node",
                  title = "From here on d cycles beat one, reordering included"})
