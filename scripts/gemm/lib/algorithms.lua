-- The algorithms: whose tiles a PE has at first and makes, how many it keeps, and its layout.
--
-- Tiles are counted by block_row, block_column. PE (x, y) has the number x on its row and y on its
-- column, or, on a ring, its position there.
local layouts = require "gemm.lib.layouts"
local rings = require "gemm.lib.rings"

local algorithms = {}

local function natural(_, x, y) return {a = {y, x}, b = {y, x}, c = {y, x}} end

-- Where Cannon's algorithm begins: in step s a PE multiplies blocks number u + v + s of the row and
-- of the column.
local function skewed(request, x, y)
  local k = (x + y) % request.P
  return {a = {y, k}, b = {k, x}, c = {y, x}}
end

-- The same by positions on the rings; A is aligned on the chip, B has been before.
local function on_rings(request, x, y)
  local u, v = request.ring.position[x], request.ring.position[y]
  return {a = {v, u}, b = {(u + v) % request.P, u}, c = {v, u}}
end

-- Tiles that a PE keeps. On a ring: two in turn, and its own if it is needed again.
local function ring_parts(request)
  if request.P == 1 then return 1 end
  return request.warmup + request.repeats > 1 and 3 or 2
end

local function broadcast_parts(request)
  if request.P == 1 then return 1 end
  return request.ahead and 3 or 2
end

algorithms.names = {"summa", "summa-multicast", "cannon", "meshgemm", "meshgemm-t",
                    "allgather", "2.5d"}

-- blocks: whose tiles a PE has; parts: how many of A it keeps, and of B if those are others; layout:
-- its layout; prepare: what else a request gets; result: where C is, if not in c; transposed: A B^T.
algorithms.summa = {
  blocks = natural, parts = broadcast_parts, layout = layouts.broadcasts, collective = true,
  prepare = function() end,
}
algorithms["summa-multicast"] = {
  blocks = natural, parts = broadcast_parts, layout = layouts.broadcasts,
  prepare = function(request) request.ahead = true end,
}
algorithms.cannon = {
  blocks = skewed, parts = ring_parts, layout = layouts.rings,
  prepare = function(request) request.ring = rings.plain(request.P) end,
}
algorithms.meshgemm = {
  blocks = on_rings, parts = ring_parts, layout = layouts.rings,
  prepare = function(request)
    request.ring, request.aligned = rings.interleaved(request.P), true
  end,
}

-- A B^T: A stays, blocks of K along rows of PEs; the tile of B with the number of the row comes first.
algorithms["meshgemm-t"] = {
  blocks = function(request, x, y)
    local v = request.ring.position[y]
    return {a = {v, x}, b = {x, v}, c = {v, x}}
  end,
  parts = function(request) return 1, ring_parts(request) end,
  layout = layouts.transposed, result = "result", transposed = true,
  prepare = function(request) request.ring = rings.interleaved(request.P) end,
}

-- Every PE gets the tiles of all others of its row and column, before it multiplies.
algorithms.allgather = {
  blocks = function(request, x, y)
    local u, v = request.ring.position[x], request.ring.position[y]
    return {a = {v, u}, b = {v, u}, c = {v, u}}
  end,
  parts = function(request) return request.P end, layout = layouts.gathers,
  prepare = function(request) request.ring = rings.interleaved(request.P) end,
}

-- meshgemm on grids side by side, each with its part of K; sums come home to the first grid.
algorithms["2.5d"] = {
  blocks = function(request, x, y)
    local P, layer = request.P, x // request.P
    local own = on_rings(request, x % P, y)
    own.a[2], own.b[1] = own.a[2] + layer * P, own.b[1] + layer * P
    return own
  end,
  parts = ring_parts, layout = layouts.rings, prepare = algorithms.meshgemm.prepare,
}

return algorithms
