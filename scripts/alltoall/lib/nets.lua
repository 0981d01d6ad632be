-- The nodes of a request and the links between them: a cube, or a mesh on which they lie.
local cube = require "alltoall.lib.cube"
local mesh = require "alltoall.lib.mesh"
local wse = require "wse"

local nets = {}

-- A table of functions of the topology of a request, and its layout, with colours and routes:
--   place_of(node): the PE (x, y) of a node; colours(): how many there are;
--   node_parameters(): its number alone;
--   ring_parameters(forward): what nodes know that pass words on along the Gray code's cycle;
--   channel_parameters(): the parameters of a program that exchanges over all dimensions, as the
--     text of its header and as values.
function nets.of(request)
  local d = request.d
  if request.topology == "hypercube" then
    return {
      layout = cube.layout(d),
      place_of = function(node) return node, 0 end,
      colours = function() return 2 * d end,
      ring_parameters = function(forward) return cube.ring_parameters(d, forward) end,
      channel_parameters = function() return cube.channel_parameters(d) end,
    }
  end
  local rows = request.algorithm == "row-column"
  local layout = rows and wse.layout(mesh.size(d)) or mesh.layout(d)
  return {
    layout = layout,
    place_of = function(node) return mesh.place_of(node, d) end,
    colours = function() return mesh.colours(request.algorithm, d) end,
    node_parameters = function() return {node = mesh.node_text(d)} end,
    ring_parameters = function(forward) return mesh.ring_parameters(layout, d, forward) end,
    channel_parameters = function() return mesh.exchange_parameters(d) end,
  }
end

-- The number of the node at a PE.
function nets.node_at(request, x, y)
  return request.topology == "mesh" and mesh.node_at(x, y, request.d) or x
end

-- The layout of a request, whose text all nodes run.
function nets.layout(request)
  local layout = request.net.layout
  layout:program(request.text)
  layout:place("node", layout:all(), request.parameters)
  return layout
end

return nets
