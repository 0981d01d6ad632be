-- Routes along paths: what every router on the way gets is gathered first and set at the end, so
-- that a call that is wrong changes nothing.
local check = require "wse.layout.check"
local host = require "wse.host"
local region = require "wse.layout.region"
local setmetatable, ipairs, type = setmetatable, ipairs, type
local format, min, max = string.format, math.min, math.max

local paths = {}

local Way = {__metatable = false}
Way.__index = Way

local function pe_text(x, y) return format("(%d, %d)", x, y) end

-- rx and tx of the routers on the way, by PE index.
local function way_of(call, name, net)
  return setmetatable({call = call, name = name, net = net, rx = {}, tx = {}, order = {}}, Way)
end

function Way:index(x, y) return y * self.net.width + x end

-- The router takes the colour from `rx`; nothing is sent yet.
function Way:enter(x, y, rx)
  local index = self:index(x, y)
  local old = self.rx[index]
  if old == nil then
    self.rx[index], self.tx[index] = rx, 0
    self.order[#self.order + 1] = index
  elseif old ~= rx then
    local names = self.net.names
    host.raise(format("%s: '%s' comes to PE %s twice, from %s and from %s; a position has one: "
                      .. "take another way, colour or position", self.call, self.name,
                      pe_text(x, y), names[old], names[rx]))
  end
end

function Way:send(x, y, port)
  local index = self:index(x, y)
  self.tx[index] = self.tx[index] | 1 << port
end

-- Walks from one PE, which takes the colour already, to the other; visit(x, y) on every PE.
function Way:walk(x0, y0, x1, y1, order, visit)
  local x, y = x0, y0
  local net = self.net
  for _, port in ipairs(net.way(x0, y0, x1, y1, order)) do
    if self.rx[self:index(x, y)] == port then
      host.raise(format("%s: the path of '%s' turns back at PE %s to where it came from, %s",
                        self.call, self.name, pe_text(x, y), net.names[port]))
    end
    self:send(x, y, port)
    x, y = net.neighbour(x, y, port)
    self:enter(x, y, net.opposite[port])
    if visit then visit(x, y) end
  end
end

-- Sets the routes of all routers on the way.
function Way:commit(routes, options, line)
  local ids, merged, width = {}, {}, self.net.width
  local number = options.position or 1
  for k, index in ipairs(self.order) do
    local rx, tx = self.rx[index], self.tx[index]
    local key = rx << 16 | tx
    local id = ids[key]
    if not id then
      id = routes:single(number, rx, tx, options, line)
      ids[key] = id
    end
    merged[k] = routes:with(index % width, index // width, id)
  end
  for k, index in ipairs(self.order) do routes:set(index % width, index // width, merged[k]) end
end

local kOptions = {order = true, position = true, taps = true, ring = true, pop = true}
local kPops = {never = true, always = true, on_advance = true, on_advance_nop = true}

local function options_of(call, options)
  options = check.fields(call, options, kOptions)
  if options.position ~= nil then
    check.integer(call, "the position", options.position, 1, 4)
  end
  if options.order ~= nil and options.order ~= "xy" and options.order ~= "yx" then
    check.wanted(call, "the order", "'xy' or 'yx'", options.order)
  end
  if options.pop ~= nil and not kPops[options.pop] then
    check.wanted(call, "pop", "never, always, on_advance or on_advance_nop", options.pop)
  end
  if options.ring ~= nil and type(options.ring) ~= "boolean" then
    check.wanted(call, "ring", "true or false", options.ring)
  end
  return options
end

-- {x, y} on the grid; on a hypercube a number, too.
local function point(call, what, value, net)
  if net.is_hypercube and type(value) ~= "table" then value = {value, 0} end
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
paths.point = point

local function taps_of(call, options, layout)
  local taps = options.taps
  if taps == nil or type(taps) == "boolean" then return taps or false end
  return region.given(call .. ": taps", taps, layout)
end

-- w:path: from the ramp of the first point to that of the last.
function paths.path(call, layout, routes, points, options, line)
  local net = layout.net
  options = options_of(call, options)
  check.table(call, "the list of points", points)
  if #points < 2 then
    host.raise(call .. ": a path has at least two points, {{0, 0}, {3, 0}}")
  end
  local taps = taps_of(call, options, layout)
  local way = way_of(call, routes.name, net)
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

-- The PEs of a column (or row) of the tree: outwards from the trunk to the farthest target.
local function branch(way, trunk, from, to, ports, at)
  for k = trunk, to - 1 do
    way:send(at(k, ports.forth))
    way:enter(at(k + 1, ports.net.opposite[ports.forth]))
  end
  for k = trunk, from + 1, -1 do
    way:send(at(k, ports.back))
    way:enter(at(k - 1, ports.net.opposite[ports.back]))
  end
end

-- On a mesh: a trunk through the source, and at every place of it that needs one a branch. Each
-- target costs a step, whatever its distance.
local function mesh_multicast(way, net, x0, y0, to, order)
  local swap = order == "yx"
  local u0, v0 = x0, y0
  if swap then u0, v0 = y0, x0 end
  local from, last, left, right = {}, {}, u0, u0
  for x, y in to:each() do
    local u, v = x, y
    if swap then u, v = y, x end
    left, right = min(left, u), max(right, u)
    from[u], last[u] = min(from[u] or v0, v), max(last[u] or v0, v)
  end
  local trunk = {net = net, forth = swap and 3 or 1, back = swap and 2 or 0}
  local side = {net = net, forth = swap and 1 or 3, back = swap and 0 or 2}
  branch(way, u0, left, right, trunk, function(u, port)
    if swap then return v0, u, port end
    return u, v0, port
  end)
  for u = left, right do
    if from[u] then
      branch(way, v0, from[u], last[u], side, function(v, port)
        if swap then return v, u, port end
        return u, v, port
      end)
    end
  end
end

-- w:multicast: every PE of the region but the source gets it.
function paths.multicast(call, layout, routes, source, to, options, line)
  local net = layout.net
  options = options_of(call, options)
  local x0, y0 = point(call, "the source", source, net)
  to = region.given(call, to, layout)
  to = to - region.make(layout, {{{x0, x0, 1}, {y0, y0, 1}}})
  if #to == 0 then host.raise(call .. ": the region has no PE but the source") end
  local way = way_of(call, routes.name, net)
  way:enter(x0, y0, net.ramp)
  if net.is_hypercube then
    for x, y in to:each() do way:walk(x0, y0, x, y, options.order) end
  else
    mesh_multicast(way, net, x0, y0, to, options.order)
  end
  for x, y in to:each() do way:send(x, y, net.ramp) end
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
  options = options_of(call, options)
  local x0, y0 = point(call, "the root", root, net)
  local lists, parents = nil, {}
  if type(children) == "table" then
    lists, parents = children_of_edges(call, children, net)
    children = function(x, y) return lists[y * net.width + x] end
  elseif type(children) ~= "function" then
    check.wanted(call, "children", "a function of (x, y) or a list of edges", children)
  end
  local way = way_of(call, routes.name, net)
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
