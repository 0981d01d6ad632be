-- A d-cube as a layout: two colours for each dimension, one out of the nodes whose bit is 0 and one
-- into them, so that both ends of a link can send at once. No colour is left at d = 12.
-- Channel k of a node is what it sends and receives over dimension k; programs know it as tx<k>,
-- rx<k>.
local cycles = require "alltoall.lib.cycles"
local wse = require "wse"
local format = string.format

local cube = {}

local function colour(k, from_one) return format("%s%d", from_one and "down" or "up", k) end

local function add_channel(layout, k)
  local ones = layout:where(function(x) return x >> k & 1 == 1 end)
  local zeros = layout:all() - ones
  local out, back = format("ramp -> dim%d", k), format("dim%d -> ramp", k)
  layout:route(colour(k, false), zeros, out)
  layout:route(colour(k, false), ones, back)
  layout:route(colour(k, true), ones, out)
  layout:route(colour(k, true), zeros, back)
end

-- The layout of 2^d nodes with all channels; no programs yet.
function cube.layout(d)
  local layout = wse.layout{hypercube = d}
  for k = 0, d - 1 do
    layout:colour(colour(k, false))
    layout:colour(colour(k, true))
  end
  for k = 0, d - 1 do add_channel(layout, k) end
  return layout
end

-- The parameters of a program that uses all channels, for its header and for its placement.
function cube.channel_parameters(d)
  local names, values = {}, {}
  for k = 0, d - 1 do
    names[k + 1] = format("tx%d: colour, rx%d: colour", k, k)
    values["tx" .. k] = format("x >> %d & 1 ? %s : %s", k, colour(k, true), colour(k, false))
    values["rx" .. k] = format("x >> %d & 1 ? %s : %s", k, colour(k, false), colour(k, true))
  end
  return table.concat(names, ", "), values
end

-- The colours on which a node sends to a neighbour and hears from one.
function cube.sends(node, to)
  local k = cycles.dimension(node, to)
  return colour(k, node >> k & 1 == 1)
end

function cube.hears(node, from)
  local k = cycles.dimension(node, from)
  return colour(k, from >> k & 1 == 1)
end

-- The parameters tx, rx of nodes that pass words on along the Gray code's cycle: to the node behind
-- (`forward`) or to the one before.
function cube.ring_parameters(d, forward)
  local function neighbour(node, along)
    local behind, before = cycles.neighbours(node, d)
    return along and behind or before
  end
  return {
    tx = function(x) return cube.sends(x, neighbour(x, forward)) end,
    rx = function(x) return cube.hears(x, neighbour(x, not forward)) end,
  }
end

return cube
