-- Arguments of calls for paths, multicasts and trees: points, options, who gets the words.
local check = require "wse.layout.check"
local host = require "wse.host"
local multicast = require "wse.layout.multicast"
local region = require "wse.layout.region"
local route_text = require "wse.layout.route_text"
local ways = require "wse.layout.way"
local ipairs, pairs, type = ipairs, pairs, type
local format = string.format

local paths = {}

local kOptions = {order = true, position = true, ring = true, pop = true, torn_down = true, start = true}
local kPathOptions = {taps = true}
for name in pairs(kOptions) do kPathOptions[name] = true end

local function options_of(call, options, known)
  options = check.fields(call, options, known)
  if options.position ~= nil then
    check.integer(call, "the position", options.position, 1, 4)
  end
  if options.order ~= nil and options.order ~= "xy" and options.order ~= "yx" then
    check.wanted(call, "the order", "'xy' or 'yx'", options.order)
  end
  if options.pop ~= nil and not route_text.pops[options.pop] then
    check.wanted(call, "pop", "never, always, on_advance or on_advance_nop", options.pop)
  end
  if options.start ~= nil then check.integer(call, "start", options.start, 0, 3) end
  for _, flag in ipairs{"ring", "torn_down"} do
    if options[flag] ~= nil and type(options[flag]) ~= "boolean" then
      check.wanted(call, flag, "true or false", options[flag])
    end
  end
  return options
end

-- {x, y} on the grid; where there is one row (or a hypercube) x alone, too.
local function point(call, what, value, net)
  if net.height == 1 and type(value) == "number" then value = {value, 0} end
  if type(value) ~= "table" or #value ~= 2 then
    check.wanted(call, what, "a PE such as {3, 0}", value)
  end
  local x = check.integer(call, what .. ": x", value[1], -(1 << 31), 1 << 31)
  local y = check.integer(call, what .. ": y", value[2], -(1 << 31), 1 << 31)
  if x < 0 or x >= net.width or y < 0 or y >= net.height then
    host.raise(format("%s: %s is PE (%d, %d), off the grid of %s", call, what, x, y, net.size))
  end
  return x, y
end

local function taps_of(call, options, layout)
  local taps = options.taps
  if taps == nil or type(taps) == "boolean" then return taps or false end
  return region.given(call .. ": taps", taps, layout)
end

-- w:path: from the ramp of the first point to that of the last.
function paths.path(call, layout, routes, points, options, line)
  local net = layout.net
  options = options_of(call, options, kPathOptions)
  check.table(call, "the list of points", points)
  if #points < 2 then
    host.raise(call .. ": a path has at least two points, {{0, 0}, {3, 0}}")
  end
  local taps = taps_of(call, options, layout)
  local way = ways.make(call, routes.name, net)
  local x, y = point(call, "point 1", points[1], net)
  way:enter(x, y, net.ramp)
  local function visit(at_x, at_y)
    if taps and taps ~= true and taps:contains(at_x, at_y) then way:send(at_x, at_y, net.ramp) end
  end
  for k = 2, #points do
    local next_x, next_y = point(call, "point " .. k, points[k], net)
    if next_x == x and next_y == y then
      host.raise(format("%s: points %d and %d are both PE (%d, %d); a loopback is "
                        .. "w:route(colour, region, \"ramp -> ramp\")", call, k - 1, k, x, y))
    end
    way:walk(x, y, next_x, next_y, options.order, visit)
    x, y = next_x, next_y
    if k == #points or taps == true then way:send(x, y, net.ramp) end
  end
  way:commit(routes, options, line)
end

-- w:multicast: every PE of the region but the source gets it.
function paths.multicast(call, layout, routes, source, to, options, line)
  local net = layout.net
  options = options_of(call, options, kOptions)
  local x0, y0 = point(call, "the source", source, net)
  to = region.given(call, to, layout)
  to = to - region.make(layout, {{{x0, x0, 1}, {y0, y0, 1}}})
  if #to == 0 then host.raise(call .. ": the region has no PE but the source") end
  local way = ways.make(call, routes.name, net)
  way:enter(x0, y0, net.ramp)
  if net.is_hypercube then
    for x, y in to:each() do way:walk(x0, y0, x, y, options.order) end
  else
    multicast.gather(way, x0, y0, to, options.order)
  end
  way:send_all(to.pieces, net.ramp)
  way:commit(routes, options, line)
end

local function children_of_edges(call, edges, net)
  local lists, parents = {}, {}
  for k, edge in ipairs(edges) do
    if type(edge) ~= "table" or #edge ~= 2 then
      check.wanted(call, "edge " .. k, "an edge such as {{0, 0}, {3, 0}}", edge)
    end
    local x, y = point(call, "edge " .. k, edge[1], net)
    local key = y * net.width + x
    if not lists[key] then
      lists[key] = {}
      parents[#parents + 1] = key
    end
    lists[key][#lists[key] + 1] = edge[2]
  end
  return lists, parents
end

-- Every edge of the table begins at a node.
local function check_reached(call, parents, seen, net)
  for _, index in ipairs(parents) do
    if not seen[index] then
      host.raise(format("%s: the edges from PE (%d, %d) hang in the air: no edge leads there", call,
                        index % net.width, index // net.width))
    end
  end
end

-- w:tree: each node takes the words and passes them on along paths to its children.
function paths.tree(call, layout, routes, root, children, options, line)
  local net = layout.net
  options = options_of(call, options, kOptions)
  local x0, y0 = point(call, "the root", root, net)
  local lists, parents = nil, {}
  if type(children) == "table" then
    lists, parents = children_of_edges(call, children, net)
    children = function(x, y) return lists[y * net.width + x] end
  elseif type(children) ~= "function" then
    check.wanted(call, "children", "a function of (x, y) or a list of edges", children)
  end
  local way = ways.make(call, routes.name, net)
  way:enter(x0, y0, net.ramp)
  local nodes, seen = {{x0, y0}}, {[way:index(x0, y0)] = true}
  local at = 1
  while nodes[at] do
    local x, y = nodes[at][1], nodes[at][2]
    for _, child in ipairs(check.table(call, "what children returns", children(x, y) or {})) do
      local to_x, to_y = point(call, format("a child of PE (%d, %d)", x, y), child, net)
      local index = way:index(to_x, to_y)
      if seen[index] then
        host.raise(format("%s: PE (%d, %d) is reached twice; a node has one parent", call, to_x,
                          to_y))
      end
      seen[index] = true
      way:walk(x, y, to_x, to_y, options.order)
      way:send(to_x, to_y, net.ramp)
      nodes[#nodes + 1] = {to_x, to_y}
    end
    at = at + 1
  end
  check_reached(call, parents, seen, net)
  if #nodes == 1 then host.raise(call .. ": the root has no children") end
  way:commit(routes, options, line)
end

return paths
