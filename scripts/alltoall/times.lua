-- Times of data motion on the profiles cm200 and cm200-news beside those that were measured (tables 4, 5,
-- 7, 13, 15, 16):
--   wsevm run scripts/alltoall/times.lua out=out
-- Writes times.csv and times.svg. whole=N: runs of more nodes are their first 8 steps, scaled. rows=FILE:
-- a CSV of an earlier start, whose points are not run again. README.md reads the result.
local points = require "alltoall.study.points"
local published = require "alltoall.study.published"
local wse = require "wse"

local out = wse.argument("out", "out")
local whole = wse.argument("whole", 128)
local most = wse.argument("most", 2048)
local kept = wse.argument("rows", "")
wse.no_more_arguments()
local file = out .. "/times.csv"
if kept ~= "" then wse.write_text(file, wse.read_text(kept)) end

local list, measured = {}, {}

local function add(number, operation, algorithm, row, column)
  local m, nodes = row[1], row[2]
  if nodes > most then return end
  local key = string.format("%d %s %d %d", number, algorithm, m, nodes)
  measured[key] = row[column]
  list[#list + 1] = {table = number, operation = operation, algorithm = algorithm, m = m,
                     nodes = nodes}
end

for _, number in ipairs{4, 5} do
  for _, row in ipairs(published["table" .. number]) do
    add(number, "broadcast", "d-cycles", row, 5)
    add(number, "broadcast", "one-cycle", row, 6)
    if row[1] * row[2] <= 256 * 16 then add(number, "broadcast", "send-and-spread", row, 4) end
  end
end
for _, row in ipairs(published.table7) do add(7, "broadcast", "d-cycles", row, 3) end
for _, row in ipairs(published.table13) do
  add(13, "reduction", "d-cycles", row, 4)
  add(13, "reduction", "one-cycle", row, 5)
  if row[1] <= 256 then add(13, "reduction", "reduce-and-spread", row, 3) end
end
for _, row in ipairs(published.table15) do
  add(15, "reduction", "d-cycles", row, 4)
  add(15, "reduction", "one-cycle", row, 5)
end

local rows = wse.sweep{
  points = list, order = {"table", "operation", "algorithm", "m", "nodes"}, csv = file,
  title = "times", run = function(p)
    local result = points.run(p.operation, p.algorithm, p.m, p.nodes, whole)
    return {ms = result.milliseconds, transfers = result.transfers, steps = result.steps,
            steps_run = result.steps_run, scaled = result.scaled,
            local_ms = (result.reorder_cycles or 0) / 10000,
            send_ms = (result.send_cycles or 0) / 10000}
  end}

-- What a row is to be laid beside: of send-and-spread the spread, of table 15 motion and what is local.
for _, row in ipairs(rows) do
  row.published = measured[string.format("%d %s %d %d", row.table, row.algorithm, row.m, row.nodes)]
  row.run = row.ms
  if row.algorithm == "send-and-spread" then row.run = row.ms - row.send_ms end
  if row.table == 15 then row.run = row.ms + row.local_ms end
  row.percent_off = 100 * (row.run / row.published - 1)
end
print(wse.table(rows, {"table", "algorithm", "m", "nodes", {name = "published", format = "%.2f"},
                       {name = "run", format = "%.2f"},
                       {name = "percent_off", title = "% off", format = "%.1f"},
                       {name = "scaled", format = function(v) return v and "scaled" or "" end}}))

local lines = {}
for number, algorithm in ipairs{"d-cycles", "one-cycle"} do
  local run = {name = algorithm .. ", run", x = {}, y = {}, number = number}
  local paper = {name = algorithm .. ", measured", x = {}, y = {}, number = number, line = false}
  for _, row in ipairs(rows) do
    if row.table == 5 and row.algorithm == algorithm then
      run.x[#run.x + 1], run.y[#run.y + 1] = row.nodes, row.run
      paper.x[#paper.x + 1], paper.y[#paper.y + 1] = row.nodes, row.published
    end
  end
  run.marks = false
  lines[#lines + 1], lines[#lines + 2] = run, paper
end
wse.plot{file = out .. "/times.svg", lines = lines, log = "xy", x_label = "nodes",
         y_label = "ms", title = "Broadcast of 256 64-bit elements per node, data motion"}
