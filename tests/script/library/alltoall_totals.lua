-- The paper's fits of local work: with its fits of motion they give the measured totals within 15 % from 16 nodes on,
-- and where indices are computed the sizes of Table 9 to the element. Transpositions of arrays of nodes are exact; a
-- square of 2^n x 2^n nodes takes three exchanges for each of its n pairs of bits, which is six times Table 2's bound.
local alltoall = require "support.alltoall"
local local_times = require "alltoall.lib.local_times"
local published = require "alltoall.study.published"
local transpose = require "alltoall.transpose"

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
for _, number in ipairs{4, 5} do
  for _, row in ipairs(published["totals" .. number]) do
    local m, nodes, many, one = table.unpack(row)
    local moved = local_times.transpose(m, 2)
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
  assert(local_times.threshold(dimensions(row[1]), "compute") == row[2], row[1] .. " nodes")
end
assert(local_times.threshold(2, "compute") == nil and local_times.threshold(3, "move") == nil)
print(("%d totals, at most %.1f %% off"):format(count, 100 * worst))

local function ceil(a, b) return (a + b - 1) // b end
for d = 2, 9 do
  for turn, m in ipairs{1, 7, 60} do
    local result = alltoall.check(transpose.run, {d = d, m = m, order = alltoall.orders[turn % 2 + 1],
                                                  type = turn == 2 and "i32" or "f32", seed = turn})
    if d % 2 == 0 then
      local classes = math.min(d // 2, 4)
      assert(result.steps == 3 * d // 2 and result.transfers == result.steps * ceil(ceil(m, classes), 2))
      if d == 4 or d == 6 then assert(m < 60 or result.transfers == 6 * ceil(m, 4)) end
    end
  end
end

local function refused(options, text)
  local ok, message = pcall(transpose.run, options)
  assert(not ok and message:find(text, 1, true), message)
end
refused({d = 1}, "d = 1: an array of at least 2 x 2 nodes is wanted")
refused({type = "f64-as-pairs"}, "pieces have words of f32 or i32")
refused({steps = 1}, "a transposition is run whole")
refused({index = "move"}, "pieces stay whole")
refused({topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused({M = 3}, "M = 3: not of exchanges")
print(alltoall.runs .. " transpositions")
