-- Matrix-vector and vector-matrix products by all-to-all communication are exact on 1-D and 2-D
-- arrays of nodes, in both orders, with the result laid out as the vector is; what is no equal
-- share is refused.
local alltoall = require "support.alltoall"
local exchanges = require "alltoall.lib.exchanges"
local gray = require "alltoall.lib.gray"
local matvec = require "alltoall.matvec"

-- Swaps and exchanges bring pieces where they belong; in a step all swaps cross different dimensions.
for d = 1, 12 do
  local rows, columns = 1 << (d + 1) // 2, 1 << d // 2
  for _, order in pairs(gray.orders) do
    local function to(node)
      local piece = order.block_of(node // columns) * columns + order.block_of(node % columns)
      return order.node_of(piece % rows) * columns + order.node_of(piece // rows)
    end
    local steps = exchanges.plan(d, to)
    for node = 0, (1 << d) - 1 do assert(exchanges.destination(steps, node) == to(node)) end
    for _, step in ipairs(steps) do
      local crossed = {}
      for _, swap in ipairs(step) do
        assert(swap.low ~= swap.high and not crossed[swap.low] and not crossed[swap.high])
        crossed[swap.low], crossed[swap.high] = true, true
      end
      assert(#step <= 4 and (#step > 0) ~= (step.over ~= nil))
    end
    -- A square is one permutation of pairs; other arrays are two, and two exchanges in Gray order.
    local most = d % 2 == 0 and (d + 7) // 8 or 2 * ((d + 7) // 8) + 2
    assert(#steps <= most, ("d = %d: %d steps"):format(d, #steps))
  end
end
-- Any permutation of bits with additions.
for seed = 1, 200 do
  math.randomseed(seed)
  local d, columns = 2 + seed % 9, {}
  for k = 0, d - 1 do columns[k] = 1 << k end
  for _ = 1, 3 * d do
    local one, other = math.random(0, d - 1), math.random(0, d - 1)
    columns[one], columns[other] = columns[other], columns[one]
    if one ~= other and math.random(3) == 1 then columns[one] = columns[one] ~ columns[other] end
  end
  local function to(node)
    local place = 0
    for k = 0, d - 1 do place = place ~ (node >> k & 1) * columns[k] end
    return place
  end
  local steps = exchanges.plan(d, to)
  for node = 0, (1 << d) - 1 do assert(exchanges.destination(steps, node) == to(node), "seed " .. seed) end
end

for d = 1, 6 do
  for turn, nodes in ipairs{"rows", "columns", "grid"} do
    for which, order in ipairs(alltoall.orders) do
      local P, Q = (1 + d % 3) << d, (1 + turn) << d
      local is_rows, is_columns = nodes == "rows", nodes == "columns"
      for _, product in ipairs{"matrix-vector", "vector-matrix"} do
        local by_rows = product == "vector-matrix"
        local result = alltoall.check(matvec.run, {
          P = P, Q = Q, d = d, nodes = nodes, order = order, product = product, seed = which})
        local alone = by_rows and is_rows or not by_rows and is_columns  -- no broadcast
        local lined = by_rows and is_columns or not by_rows and is_rows  -- no reduction
        if d > 1 then
          assert((result.broadcast_cycles > 0) ~= alone and (result.reduce_cycles > 0) ~= lined)
          assert((result.exchange_cycles > 0) == (nodes == "grid"))
        end
        assert(result.cycles >= result.broadcast_cycles + result.multiply_cycles
               + result.reduce_cycles + result.exchange_cycles)
      end
    end
  end
end
-- Row by row of nodes: the other vector's pieces are exchanged, and the product takes about as long.
for d = 2, 6 do
  for which, order in ipairs(alltoall.orders) do
    for _, product in ipairs{"matrix-vector", "vector-matrix"} do
      local options = {P = 2 << d, Q = 3 << d, d = d, order = order, product = product, seed = which}
      local column = alltoall.check(matvec.run, options)
      options.layout = "row"
      local row = alltoall.check(matvec.run, options)
      assert(row.exchange_cycles > 0 and math.abs(row.cycles / column.cycles - 1) < 0.2)
    end
  end
end
alltoall.check(matvec.run, {P = 256, Q = 384, d = 7, seed = 3})
alltoall.check(matvec.run, {P = 40, Q = 24, d = 3, machine = "wse2"})
for _, product in ipairs{"matrix-vector", "vector-matrix"} do  -- five dimensions and four
  alltoall.check(matvec.run, {P = 512, Q = 1024, d = 9, product = product})
end

-- The first terms of the sums, scaled.
local whole = alltoall.check(matvec.run, {P = 256, Q = 256, d = 4})
local part = alltoall.check(matvec.run, {P = 256, Q = 256, d = 4, steps = 8})
assert(part.scaled and not whole.scaled and math.abs(part.cycles / whole.cycles - 1) < 0.01)

-- A grid needs far less communication than a line of nodes.
local function cycles(nodes)
  return alltoall.check(matvec.run, {P = 128, Q = 128, d = 6, nodes = nodes}).cycles
end
assert(2 * cycles("grid") < math.min(cycles("rows"), cycles("columns")))

local function refused(options, text)
  local ok, message = pcall(matvec.run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
end
refused({P = 65, d = 4}, "P = 65: a multiple of 16 is wanted")
refused({Q = 0, d = 4}, "Q = 0: a multiple of 16 is wanted")
refused({nodes = "cube"}, "nodes = cube: rows, columns or grid is wanted")
refused({product = "vector"}, "product = vector: matrix-vector or vector-matrix is wanted")
refused({P = 64, Q = 32, d = 2, steps = 17}, "steps = 17: an integer of 1 to 16 is wanted")
refused({layout = "diagonal"}, "layout = diagonal: column or row is wanted")
refused({type = "i32"}, "type = i32: a product has f32")
refused({topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused({P = 4096, Q = 4096, d = 4, machine = "wse2"}, "more nodes or a smaller matrix fit")
print(alltoall.runs .. " products")
