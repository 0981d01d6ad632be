-- The paper's fits of local work: with its fits of motion they give the measured totals within 15 % from 16 nodes on, and
-- the sizes of Table 9 to the element. Table 18 has the rates of Table 7's times, in 2^20 bytes, and those of Table 5's
-- spreads, in 10^6. With the motion of runs, and one constant for multiplications, fits give all rates of Table 19.
local local_times = require "alltoall.lib.local_times"
local points = require "alltoall.study.points"
local product_times = require "alltoall.study.product_times"
local published = require "alltoall.study.published"

local function dimensions(nodes)
  local d = 0
  while 1 << d < nodes do d = d + 1 end
  return d
end

local worst, count = 0, 0
local function near(what, m, nodes, found, measured)
  local off = math.abs(found / measured - 1)
  assert(nodes < 16 or m < 64 or off <= 0.15, ("%s, %d elements, %d nodes: %.2f, not %.2f"):format(
         what, m, nodes, found, measured))
  if nodes >= 16 then worst, count = math.max(worst, off), count + 1 end
end

local function d_cycles(m, nodes, index)
  local d = dimensions(nodes)
  local indices = index == "move" and local_times.index_motion(m, d) or local_times.index_computation(m, d)
  return local_times.d_cycles_motion(m, 2, d) + local_times.d_cycles_reorder(m, 2, nodes) + indices
end
local function one_cycle(m, nodes)
  return local_times.one_cycle_motion(m, 2, nodes) + local_times.one_cycle_reorder(m, 2, nodes)
end
for _, number in ipairs{4, 5, 11} do
  for _, row in ipairs(published["totals" .. number]) do
    local m, nodes, many, one = table.unpack(row)
    local moved = number == 11 and 0 or local_times.transpose(m, 2)
    near("table " .. number, m, nodes, d_cycles(m, nodes, "compute") + moved, many)
    near("table " .. number, m, nodes, one_cycle(m, nodes) + moved, one)
  end
end
for _, row in ipairs(published.totals7) do
  near("table 7", row[1], row[2], d_cycles(row[1], row[2], "compute"), row[3])
  near("table 7", row[1], row[2], d_cycles(row[1], row[2], "move"), row[4])
end
for _, number in ipairs{13, 15} do
  for _, row in ipairs(published["totals" .. number]) do
    local m, nodes, many, one = table.unpack(row)
    local sums = local_times.arithmetic(m, 2, nodes)
    near("table " .. number, m, nodes, d_cycles(m, nodes, "compute") + sums, many)
    near("table " .. number, m, nodes, one_cycle(m, nodes) + sums, one)
  end
end
for _, row in ipairs(published.table9) do
  local d = dimensions(row[1])
  assert(local_times.threshold(d, "compute") == row[2], row[1] .. " nodes, computed indices")
  assert(local_times.threshold(d, "move") == row[3], row[1] .. " nodes, moved indices")
end
for d = 1, 3 do assert(local_times.threshold(d, "move") == nil) end
assert(local_times.threshold(1, "compute") == nil and local_times.threshold(2, "compute") == nil)
print(("%d totals, at most %.1f %% off"):format(count, 100 * worst))

-- Table 18: the print cuts or rounds two decimals. Rates with indices lie up to 6 % below those of Table 7's totals.
local spreads = {}  -- MB/s of Table 5
for _, row in ipairs(published.table5) do spreads[row[2]] = row[1] * row[2] * 8 / (1000 * row[4]) end
local printed_spreads = {[2] = 0.65, [4] = 0.61, [8] = 0.87, [16] = 1.10, [32] = 1.31, [64] = 1.50, [128] = 1.67}
for nodes, rate in pairs(printed_spreads) do assert(math.abs(spreads[nodes] - rate) < 0.011, nodes .. " nodes") end
for k, row in ipairs(published.table18) do
  local nodes, _, many, _, computed, moved = table.unpack(row)
  local rate = points.rate(128, nodes, published.table7[k][3])
  assert(published.table7[k][2] == nodes and rate > many - 0.005 and rate < many + 0.01, nodes .. " nodes")
  for index, printed in pairs{[3] = computed, [4] = moved} do
    local off = points.rate(128, nodes, published.totals7[k][index]) / printed - 1
    assert(off > 0 and off < 0.06, ("%d nodes: %.3f"):format(nodes, off))
  end
end

worst, count = 0, 0
for product, rows in pairs(published.table19) do
  for _, row in ipairs(rows) do
    local P, nodes, mflops = table.unpack(row)
    local off = math.abs(2 * P * P / (1000 * product_times.of(product, P, dimensions(nodes))) / mflops - 1)
    assert(off <= 0.15, ("%s, P = %d, %d nodes: %.3f"):format(product, P, nodes, off))
    worst, count = math.max(worst, off), count + 1
  end
end
print(("%d products, at most %.1f %% off"):format(count, 100 * worst))
