-- Spreads take the times of Table 3, and sends by the router make the ratios of Tables 6, 10 and 16, within 15 % from 16
-- nodes on: motion of runs with fits of start-ups, transpositions and the router. Trees of
-- disjoint links gather and scatter in 0.37 to 0.55 and 0.19 to 0.21 of the router's time, from 16 to 256 nodes.
local alltoall_sends = require "support.alltoall_sends"
local local_times = require "alltoall.lib.local_times"
local points = require "alltoall.study.points"
local published = require "alltoall.study.published"
local sends = require "alltoall.study.sends"

print(("Table 3: at most %.1f %% off"):format(100 * alltoall_sends.spreads(16, 256, 1024)))
print(("Tables 6, 10, 16: at most %.1f %% off"):format(100 * alltoall_sends.ratios(16, 16)))
local spread5, spread3 = published.table5[4][4]
for _, row in ipairs(published.table3) do
  if row[1] == 8192 and row[2] == 16 then spread3 = row[3] end
end
assert(spread5 < 0.96 * spread3, "one spread, two tables")
for number, order in pairs{[4] = "row", [11] = "column"} do
  for _, row in ipairs(published["table" .. number]) do
    local off = local_times.router_gather(row[1], 2, 4, order) / row[3] - 1
    assert(math.abs(off) <= 0.15, ("table %d, %d elements: %.3f"):format(number, row[1], off))
  end
end
-- The scatter's fit is one of Table 16; Table 13 has others.
for _, row in ipairs(published.sends13) do
  local off = local_times.router_scatter(row[1], 2, 4) / row[3] - 1
  assert(math.abs(off) <= 0.15, ("table 13, %d elements: %.3f"):format(row[1], off))
  if row[1] <= 128 then
    off = (sends.reduce_motion(row[1], 4) + local_times.router_scatter(row[1], 2, 4)) / row[4] - 1
    assert(math.abs(off) <= 0.15, ("table 13, %d elements in all: %.3f"):format(row[1], off))
  end
end
for _, row in ipairs(published.table16) do
  local m, nodes, gathered, scattered = table.unpack(row)
  if nodes == 16 or nodes == 32 then
    local gather = points.run("personalised", "gather", m, nodes, 128).milliseconds / gathered
    local scatter = points.run("personalised", "scatter", m, nodes, 128).milliseconds / scattered
    assert(gather > 0.36 and gather < 0.56 and scatter > 0.18 and scatter < 0.22, ("%.2f, %.2f"):format(gather, scatter))
  end
end
