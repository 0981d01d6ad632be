-- Spreads, sends to and from one node, and broadcasts and reductions made of both, by motion of runs and fits
-- (study/sends.lua), beside what was measured (tables 3, 4, 5, 6, 10, 11, 13, 15, 16):
--   wsevm run scripts/alltoall/sends.lua out=out
-- most=N: no more nodes; words=W: no longer spreads in Table 3; sums=W: no longer reductions, in words of all nodes.
-- README.md reads the result.
local local_times = require "alltoall.lib.local_times"
local published = require "alltoall.study.published"
local sends = require "alltoall.study.sends"
local study = require "support.study"
local wse = require "wse"

local most, longest = study.integer("most", 256, 2, 4096), study.integer("words", 4096, 1)
local sums = study.integer("sums", 1 << 15, 1)
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
for _, row in ipairs(published.table4) do add("spread", row[1] * S * row[2], row[2]) end
for _, row in ipairs(published.table6) do
  add("spread", kElements * S * row[1], row[1])
  add("d-cycles", kElements * S, row[1])
  add("one-cycle", kElements * S, row[1])
end
-- The rows of Tables 13 and 15 whose reductions are run.
local reductions = {}
for _, number in ipairs{13, 15} do
  for _, row in ipairs(number == 13 and published.sends13 or published.table15) do
    if row[1] * S * row[2] <= sums and row[2] <= most then
      add("reduce-and-spread", row[1] * S, row[2])
      reductions[#reductions + 1] = {number, row[1], row[2], row[number == 13 and 4 or 3]}
    end
  end
end
local ms_of = {}
for _, row in ipairs(study.rows(self, points, {"motion", "words", "nodes"}, function(p)
  local d = study.dimensions(p.nodes)
  if p.motion == "spread" then return {ms = sends.spread_motion(p.words, d)} end
  if p.motion == "reduce-and-spread" then return {ms = sends.reduce_motion(p.words // S, d)} end
  return {ms = sends.cycles_motion(p.motion, p.words // S, d)}
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
for number, order in pairs{[4] = "row", [11] = "column"} do
  for _, row in ipairs(published["table" .. number]) do
    local m, nodes, sent, spread = table.unpack(row)
    if nodes <= most then
      local d = study.dimensions(nodes)
      local send = local_times.router_gather(m, S, d, order)
      local all = send + ms_of[key("spread", m * S * nodes, nodes)] + local_times.spread_start(d)
      beside(number, "send, ms", m * S, nodes, sent, send)
      beside(number, "send and spread, ms", m * S, nodes, sent + spread, all)
    end
  end
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
for _, row in ipairs(published.sends13) do
  if row[2] <= most then beside(13, "send, ms", row[1] * S, row[2], row[3], local_times.router_scatter(row[1], S, 4)) end
end
for _, row in ipairs(reductions) do
  local number, m, nodes, measured = table.unpack(row)
  local sent = local_times.router_scatter(m, S, study.dimensions(nodes))
  beside(number, "reduce-and-spread and send, ms", m * S, nodes, measured,
         ms_of[key("reduce-and-spread", m * S, nodes)] + sent)
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
