-- Spreads, sends to one node and broadcasts made of both, by motion of runs and fits (study/sends.lua), beside what was
-- measured (tables 3, 4, 5, 6, 10, 16):
--   wsevm run scripts/alltoall/sends.lua out=out
-- most=N: no more nodes; words=W: no longer spreads in Table 3. README.md reads the result.
local local_times = require "alltoall.lib.local_times"
local published = require "alltoall.study.published"
local sends = require "alltoall.study.sends"
local study = require "support.study"
local wse = require "wse"

local most, longest = study.integer("most", 256, 2, 4096), study.integer("words", 4096, 1)
local self = study.begin("sends")

local kElements, S = 256, 2  -- of Tables 5, 6, 10, 16: elements of a node, their words

local function key(motion, words, nodes) return ("%s %d %d"):format(motion, words, nodes) end

local points, added = {}, {}
local function add(motion, words, nodes)
  if nodes > most or added[key(motion, words, nodes)] then return end
  added[key(motion, words, nodes)] = true
  points[#points + 1] = {motion = motion, words = words, nodes = nodes}
end
for _, row in ipairs(published.table3) do
  if row[1] <= longest then add("spread", row[1], row[2]) end
end
for _, row in ipairs(published.table6) do
  add("spread", kElements * S * row[1], row[1])
  add("d-cycles", kElements * S, row[1])
  add("one-cycle", kElements * S, row[1])
end
local ms_of = {}
for _, row in ipairs(study.rows(self, points, {"motion", "words", "nodes"}, function(p)
  local d = study.dimensions(p.nodes)
  return {ms = p.motion == "spread" and sends.spread_motion(p.words, d)
               or sends.cycles_motion(p.motion, p.words // S, d)}
end)) do
  ms_of[key(row.motion, row.words, row.nodes)] = row.ms
end

local rows = {}
local function beside(number, what, words, nodes, measured, value)
  rows[#rows + 1] = {table = number, what = what, words = words, nodes = nodes, published = measured, value = value,
                     percent_off = 100 * (value / measured - 1)}
end

for _, row in ipairs(published.table3) do
  local motion = ms_of[key("spread", row[1], row[2])]
  if motion then
    beside(3, "spread, ms", row[1], row[2], row[3], motion + local_times.spread_start(study.dimensions(row[2])))
  end
end
for _, row in ipairs(published.table4) do
  beside(4, "send, ms", row[1] * S, row[2], row[3], local_times.router_gather(row[1], S, study.dimensions(row[2])))
end
for k, row in ipairs(published.table6) do
  local nodes, words = row[1], kElements * S
  if nodes <= most then
    local d = study.dimensions(nodes)
    local whole = sends.whole({spread = ms_of[key("spread", words * nodes, nodes)],
                               many = ms_of[key("d-cycles", words, nodes)],
                               one = ms_of[key("one-cycle", words, nodes)]}, kElements, d)
    local ratios = sends.ratios(whole)
    beside(5, "send, ms", words, nodes, published.table5[k][3], whole.send)
    beside(5, "spread, ms", words, nodes, published.table5[k][4], whole.spread)
    for _, number in ipairs{6, 10} do
      for _, ratio in ipairs(ratios[number]) do
        beside(number, ratio[1], words, nodes, published["table" .. number][k][ratio[2]], ratio[3])
      end
    end
    beside(16, "scatter, ms", words, nodes, published.table16[k][4], local_times.router_scatter(kElements, S, d))
  end
end
table.sort(rows, function(a, b)
  if a.table ~= b.table then return a.table < b.table end
  if a.what ~= b.what then return a.what < b.what end
  if a.words ~= b.words then return a.words < b.words end
  return a.nodes < b.nodes
end)
print(wse.table(rows, {"table", "what", "words", "nodes", {name = "value", title = "run and fits", format = "%.2f"},
                       {name = "published", format = "%.2f"},
                       {name = "percent_off", title = "% off", format = "%.1f"}}))

local lines = {}
for number, what in ipairs{"send, ms", "spread, ms"} do
  local function is(row) return row.table == 5 and row.what == what end
  lines[#lines + 1] = study.line(what .. ", run and fits", number, rows, "nodes", "value", is)
  lines[#lines + 1] = study.line(what .. ", measured", number, rows, "nodes", "published", is)
  lines[#lines].dashed = true
end
study.draw(self, {lines = lines, log = "xy", x_label = "nodes", y_label = "ms",
                  title = "Send and spread of 256 64-bit elements per node"})
