-- The routes of one colour: each router has one for each of its positions; what a call adds is
-- merged with what earlier ones brought, and a different one is an error with both lines.
local host = require "wse.host"
local plane = require "wse.layout.plane"
local region = require "wse.layout.region"
local route_text = require "wse.layout.route_text"
local setmetatable, ipairs, next, tostring = setmetatable, ipairs, next, tostring
local format, concat = string.format, table.concat

local kPositions = host.switch_positions

local Routes = {__metatable = false}
Routes.__index = Routes

local routes = {}

function routes.make(name, net)
  return setmetatable({name = name, net = net, list = {}, ids = {}, merged = {}, streams = {},
                       plane = plane.make(net.width, net.height)}, Routes)
end

-- The sides to which a router sends, of all its positions: a mask.
function routes.targets(route)
  local mask = 0
  for k = 1, kPositions do mask = mask | (route[k] and route[k].tx or 0) end
  return mask
end

local function key_of(route)
  local parts = {}
  for k = 1, kPositions do
    local at = route[k]
    parts[k] = at and at.rx .. ">" .. at.tx .. "@" .. at.line or ""
  end
  parts[kPositions + 1] = concat({tostring(route.ring), tostring(route.pop),
                                  tostring(route.torn_down), tostring(route.start)}, ",")
  parts[kPositions + 2] = route.line
  return concat(parts, "|")
end

-- The id of a route {[position] = {rx, tx, line}, ring, pop, torn_down, line}.
function Routes:intern(route)
  local key = key_of(route)
  local id = self.ids[key]
  if not id then
    id = #self.list + 1
    self.list[id], self.ids[key] = route, id
  end
  return id
end

-- A position as it stands: "west -> ramp".
local function shown(self, at)
  return route_text.text({at}, self.net)
end

local function clash(self, x, y, what, old_line, new, old)
  host.raise(format("PE (%d, %d) has another %s of '%s': '%s' from %s; now '%s'", x, y, what,
                    self.name, old, old_line, new))
end

local function merge_routes(self, old, new, x, y)
  local both = {line = old.line}
  for k = 1, kPositions do
    local a, b = old[k], new[k]
    if a and b and (a.rx ~= b.rx or a.tx ~= b.tx) then
      local what = (k == 1 and not old[2] and not new[2]) and "route" or "position " .. k
      clash(self, x, y, what, a.line, shown(self, b), shown(self, a))
    end
    both[k] = a or b
  end
  for _, flag in ipairs{"ring", "pop", "torn_down", "start"} do
    local a, b = old[flag], new[flag]
    if a and b and a ~= b then
      clash(self, x, y, flag, old.line, tostring(b), tostring(a))
    end
    both[flag] = a or b
  end
  return both
end

-- The id of what a router has that had `old` and gets `new`, both ids.
function Routes:merge(old, new, x, y)
  local key = old << 32 | new
  local id = self.merged[key]
  if not id then
    id = self:intern(merge_routes(self, self.list[old], self.list[new], x, y))
    self.merged[key] = id
  end
  return id
end

-- The id that a router has once it gets `id`; changes nothing.
function Routes:with(x, y, id)
  local old = self.plane:get(x, y)
  if old == 0 or old == id then return id end
  return self:merge(old, id, x, y)
end

function Routes:set(x, y, id) self.plane:row(y)[x + 1] = id end

function Routes:fill(pieces, id)
  local function merge(old, x, y) return self:merge(old, id, x, y) end
  self.plane:check(pieces, merge)
  self.plane:fill(pieces, id, merge)
end

-- The id of a route that the PEs are to get, positions from the first on.
function Routes:checked(call, at, route, line)
  self:check_edges(call, at, routes.targets(route))
  route.line = line
  for _, position in ipairs(route) do position.line = line end
  return self:intern(route)
end

-- The route of one position, of which the others are not known yet.
function Routes:single(number, rx, tx, options, line)
  return self:intern{[number] = {rx = rx, tx = tx, line = line}, line = line, ring = options.ring,
                     pop = options.pop, torn_down = options.torn_down, start = options.start}
end

-- Routers have their positions from the first on.
function Routes:check_complete(call)
  local missing = {}
  for id, route in ipairs(self.list) do
    local last = 0
    for k = 1, kPositions do
      if route[k] then last = k end
    end
    for k = last, 1, -1 do
      if not route[k] then missing[id] = k end
    end
  end
  if next(missing) == nil then return end
  for y = 0, self.net.height - 1 do
    local row = self.plane:whole_row(y)
    for x = 1, row and #row or 0 do
      local hole = missing[row[x]]
      if hole then
        host.raise(format("%s: PE (%d, %d) has no position %d of '%s', but a later one, from %s",
                          call, x - 1, y, hole, self.name, self.list[row[x]].line))
      end
    end
  end
end

-- content_of[id] for the plane's cover, and the text and line of each content.
function Routes:contents()
  local content_of, texts, lines, numbers = {}, {}, {}, {}
  for id, route in ipairs(self.list) do
    if route[1] then
      local text = route_text.text(route, self.net)
      if not numbers[text] then
        numbers[text] = #texts + 1
        texts[#texts + 1], lines[#lines + 1] = text, route[1].line
      end
      content_of[id] = numbers[text]
    end
  end
  return content_of, texts, lines
end

local kBeside = {[0] = "west", "east", "north", "south"}

local function edge_of(layout, net, port)
  local xs, ys = {0, net.width - 1, 1}, {0, net.height - 1, 1}
  if port == 0 then xs = {0, 0, 1} elseif port == 1 then xs = {xs[2], xs[2], 1}
  elseif port == 2 then ys = {0, 0, 1} else ys = {ys[2], ys[2], 1} end
  return region.make(layout, {{xs, ys}})
end

-- A route that sends to the sides of `mask` at the PEs does not lead over the edge, but where a
-- stream takes the colour.
function Routes:check_edges(call, at, mask)
  local net = self.net
  if net.is_hypercube then return end
  for port = 0, 3 do
    if mask >> port & 1 == 1 then
      local over = at * edge_of(at.layout, net, port)
      if self.streams[port] then over = over - self.streams[port] end
      for x, y in over:each() do
        host.raise(format("%s: the route of '%s' at PE (%d, %d) leaves the grid to the %s; the "
                          .. "grid is %s: end it there with '-> ramp', or say above which stream "
                          .. "takes it, w:stream(...)", call, self.name, x, y, kBeside[port],
                          net.size))
      end
    end
  end
end

return routes
