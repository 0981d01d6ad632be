-- Times of data motion on the profiles cm200 and cm200-news beside those that were measured (tables
-- 4, 5, 7, 13, 15, 16), and data rates (18):
--   wsevm run scripts/alltoall/times.lua out=out
-- whole=N: runs of more nodes are their first 8 steps, scaled; most=N: no more nodes.
-- study/study.lua has the arguments of all studies. README.md reads the result.
local points = require "alltoall.study.points"
local published = require "alltoall.study.published"
local study = require "support.study"
local wse = require "wse"

local whole = study.integer("whole", 128, 0)
local most = study.integer("most", 2048, 2)
local self = study.begin("times")

local list, beside = {}, {}

local function key(operation, algorithm, m, nodes)
  return string.format("%s %s %d %d", operation, algorithm, m, nodes)
end

local function motion(result) return result.ms end
local function spread(result) return result.ms - result.send_ms end
local function send(result) return result.send_ms end
local function rate(result) return points.rate(result.m, result.nodes, result.ms) end

-- Adds what a run gives beside a published number; the same run may do for several.
local function add(number, what, operation, algorithm, m, nodes, published_number, of)
  if nodes > most then return end
  local point = key(operation, algorithm, m, nodes)
  if not list[point] then
    list[point] = true
    list[#list + 1] = {operation = operation, algorithm = algorithm, m = m, nodes = nodes}
  end
  beside[#beside + 1] = {table = number, what = what, algorithm = algorithm, m = m, nodes = nodes,
                         published = published_number, of = of, point = point}
end

for _, number in ipairs{4, 5} do
  for _, row in ipairs(published["table" .. number]) do
    local m, nodes, sent, spreads, many, one = table.unpack(row)
    add(number, "motion, ms", "broadcast", "d-cycles", m, nodes, many, motion)
    add(number, "motion, ms", "broadcast", "one-cycle", m, nodes, one, motion)
    if m * nodes <= 256 * 16 then
      add(number, "spread, ms", "broadcast", "send-and-spread", m, nodes, spreads, spread)
      if number == 4 then
        add(4, "send, ms", "broadcast", "send-and-spread", m, nodes, sent, send)
      end
    end
  end
end
for _, row in ipairs(published.table7) do
  add(7, "motion, ms", "broadcast", "d-cycles", row[1], row[2], row[3], motion)
end
for _, row in ipairs(published.table13) do
  local m, nodes, spreads, many, one = table.unpack(row)
  add(13, "motion, ms", "reduction", "d-cycles", m, nodes, many, motion)
  add(13, "motion, ms", "reduction", "one-cycle", m, nodes, one, motion)
  if m <= 256 then
    add(13, "motion, ms", "reduction", "reduce-and-spread", m, nodes, spreads, motion)
  end
end
for _, row in ipairs(published.table15) do
  add(15, "motion, ms", "reduction", "d-cycles", row[1], row[2], row[4], motion)
  add(15, "motion, ms", "reduction", "one-cycle", row[1], row[2], row[5], motion)
end
for _, row in ipairs(published.table16) do
  add(16, "gather, ms", "personalised", "gather", row[1], row[2], row[3], motion)
  add(16, "scatter, ms", "personalised", "scatter", row[1], row[2], row[4], motion)
end
for _, row in ipairs(published.table18) do
  add(18, "rate, MiB/s", "broadcast", "one-cycle", 128, row[1], row[2], rate)
  add(18, "rate, MiB/s", "broadcast", "d-cycles", 128, row[1], row[3], rate)
end

local runs = {}
for _, row in ipairs(study.rows(
  self, list, {"operation", "algorithm", "m", "nodes"}, function(p)
    local result = points.run(p.operation, p.algorithm, p.m, p.nodes, whole)
    return {ms = result.milliseconds, transfers = result.transfers, steps = result.steps,
            steps_run = result.steps_run, scaled = result.scaled,
            send_ms = points.ms(result, result.send_cycles)}
  end)) do
  runs[key(row.operation, row.algorithm, row.m, row.nodes)] = row
end

for _, row in ipairs(beside) do
  local run = runs[row.point]
  row.run, row.scaled = row.of(run), run.scaled and "scaled" or ""
  row.percent_off = 100 * (row.run / row.published - 1)
end
print(wse.table(beside, {"table", "what", "algorithm", "m", "nodes",
                         {name = "published", format = "%.2f"}, {name = "run", format = "%.2f"},
                         {name = "percent_off", title = "% off", format = "%.1f"}, "scaled"}))

local lines = {}
for number, algorithm in ipairs{"d-cycles", "one-cycle"} do
  local function is(row) return row.table == 5 and row.algorithm == algorithm end
  local run = study.line(algorithm .. ", run", number, beside, "nodes", "run", is)
  local paper = study.line(algorithm .. ", measured", number, beside, "nodes", "published", is)
  run.marks, paper.line = false, false
  lines[#lines + 1], lines[#lines + 2] = run, paper
end
study.draw(self, {lines = lines, log = "xy", x_label = "nodes", y_label = "ms",
                  title = "Broadcast of 256 64-bit elements per node, data motion"})
