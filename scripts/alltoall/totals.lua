-- Whole times: the motion of runs on the profiles cm200 and cm200-news with the local work that nodes took, by the
-- paper's fits (lib/local_times.lua), beside what was measured in all (tables 4, 5, 7, 11, 13, 15 and 18); and the sizes from which
-- d cycles pay by these fits (table 9):
--   wsevm run scripts/alltoall/totals.lua out=out
-- whole=N: runs of more nodes are their first 8 steps, scaled; most=N: no more nodes.
-- study/study.lua has the arguments of all studies. README.md reads the result.
local local_times = require "alltoall.lib.local_times"
local points = require "alltoall.study.points"
local published = require "alltoall.study.published"
local study = require "support.study"
local wse = require "wse"

local whole = study.integer("whole", 128, 0)
local most = study.integer("most", 2048, 2)
local self = study.begin("totals")

local S = 2  -- words of an element

-- Returns what a table's totals hold beside motion, for {"d-cycles", "one-cycle"} or both kinds of indices.
local function reorder(algorithm, m, nodes)
  if algorithm == "one-cycle" then return local_times.one_cycle_reorder(m, S, nodes) end
  return local_times.d_cycles_reorder(m, S, nodes)
end

local function computed(algorithm, m, d)
  return algorithm == "d-cycles" and local_times.index_computation(m, d) or 0
end

local function beside(row, d)
  local m, nodes, number = row.m, row.nodes, row.table
  local all = reorder(row.algorithm, m, nodes)
  all = all + (row.index == "move" and local_times.index_motion(m, d) or computed(row.algorithm, m, d))
  if number == 4 or number == 5 then all = all + local_times.transpose(m, S) end
  if number == 13 or number == 15 then all = all + local_times.arithmetic(m, S, nodes) end
  return all
end

local list, measured_of = {}, {}
local function add(number, operation, algorithm, index, m, nodes, measured)
  if nodes <= most then
    list[#list + 1] = {table = number, operation = operation, algorithm = algorithm, index = index, m = m,
                       nodes = nodes}
    measured_of[#list] = measured
  end
end
for _, number in ipairs{4, 5, 11, 13, 15} do
  for _, row in ipairs(published["totals" .. number]) do
    local operation = number >= 13 and "reduction" or "broadcast"
    add(number, operation, "d-cycles", "compute", row[1], row[2], row[3])
    add(number, operation, "one-cycle", "none", row[1], row[2], row[4])
  end
end
for _, row in ipairs(published.totals7) do
  add(7, "broadcast", "d-cycles", "compute", row[1], row[2], row[3])
  add(7, "broadcast", "d-cycles", "move", row[1], row[2], row[4])
end
for _, row in ipairs(published.table18) do
  local function ms(rate) return points.rate(128, row[1], rate) end  -- a rate's time, by the formula of a time's rate
  add(18, "broadcast", "one-cycle", "none", 128, row[1], ms(row[4]))
  add(18, "broadcast", "d-cycles", "compute", 128, row[1], ms(row[5]))
  add(18, "broadcast", "d-cycles", "move", 128, row[1], ms(row[6]))
end

local motions = {}
local rows = study.rows(self, list, {"table", "operation", "algorithm", "index", "m", "nodes"}, function(p)
  local key = ("%s %s %d %d"):format(p.operation, p.algorithm, p.m, p.nodes)
  motions[key] = motions[key] or points.run(p.operation, p.algorithm, p.m, p.nodes, whole).milliseconds
  return {motion = motions[key], rest = beside(p, study.dimensions(p.nodes))}
end)
for k, row in ipairs(rows) do
  row.published, row.all = measured_of[k], row.motion + row.rest
  row.percent_off = 100 * (row.all / row.published - 1)
end
print(wse.table(rows, {"table", "algorithm", "index", "m", "nodes", {name = "motion", format = "%.2f"},
                       {name = "rest", title = "local", format = "%.2f"}, {name = "all", format = "%.2f"},
                       {name = "published", format = "%.2f"},
                       {name = "percent_off", title = "% off", format = "%.1f"}}))

local thresholds = {}
for k, row in ipairs(published.table9) do
  local d = study.dimensions(row[1])
  thresholds[k] = {nodes = row[1], compute = local_times.threshold(d, "compute"), compute_published = row[2],
                   move = local_times.threshold(d, "move"), move_published = row[3]}
end
print(wse.table(thresholds, {"nodes", {name = "compute", title = "computed: m ="},
                             {name = "compute_published", title = "published"}, {name = "move", title = "moved: m ="},
                             {name = "move_published", title = "published"}}))

local lines = {}
for number, index in ipairs{"compute", "move"} do
  local function is(row) return row.table == 7 and row.index == index end
  lines[#lines + 1] = study.line(index .. ", run and fits", number, rows, "nodes", "all", is)
  lines[#lines + 1] = study.line(index .. ", measured", number, rows, "nodes", "published", is)
  lines[#lines].dashed = true
end
study.draw(self, {lines = lines, log = "xy", x_label = "nodes", y_label = "ms",
                  title = "Broadcast of 128 64-bit elements per node, local work included"})
