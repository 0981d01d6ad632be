-- Which channels (colours of the layout) each PE knows: those of its routes and filters, those that
-- a neighbour sends to it, those that its program or a parameter names. Two that no PE knows both
-- may have one number.
local routes = require "wse.layout.routes"
local ipairs, pairs, setmetatable = ipairs, pairs, setmetatable
local sort, move, max = table.sort, table.move, math.max

local knowledge = {}

-- Sets of channels by id, 0 the empty one. Few of them occur, so each is kept once.
local Sets = {__metatable = false}
Sets.__index = Sets

local function make_sets()
  return setmetatable({list = {[0] = {}}, ids = {}, steps = {}}, Sets)
end

function Sets:intern(members)
  local here = self.ids -- a trie of the members in ascending order
  for _, channel in ipairs(members) do
    here[channel] = here[channel] or {}
    here = here[channel]
  end
  if not here.id then
    here.id = #self.list + 1
    self.list[here.id] = members
  end
  return here.id
end

-- The id of the set with the channel added.
function Sets:with(id, channel)
  local steps = self.steps[channel]
  if not steps then
    steps = {}
    self.steps[channel] = steps
  end
  local to = steps[id]
  if to then return to end
  local members, there = move(self.list[id], 1, #self.list[id], 1, {}), false
  for _, member in ipairs(members) do there = there or member == channel end
  to = id
  if not there then
    members[#members + 1] = channel
    sort(members)
    to = self:intern(members)
  end
  steps[id] = to
  return to
end

local function empty_rows(width, height)
  local rows, nothing = {}, {}
  for x = 1, width do nothing[x] = 0 end
  for y = 0, height - 1 do rows[y] = move(nothing, 1, width, 1, {}) end
  return rows
end

-- Every PE of the plane, and where targets[id] says so the neighbours.
local function add_routes(sets, rows, channel, net, plane, targets)
  for y, ids in pairs(plane.rows) do
    local row = rows[y]
    for x, id in pairs(ids) do
      row[x] = sets:with(row[x], channel)
      for _, port in ipairs(targets[id]) do
        local to_x, to_y = net.neighbour(x - 1, y, port)
        local to = rows[to_y]
        if to and to[to_x + 1] then to[to_x + 1] = sets:with(to[to_x + 1], channel) end
      end
    end
  end
end

local function ports_of(net, mask)
  local ports = {}
  for port = 0, net.ramp - 1 do
    if mask >> port & 1 == 1 then ports[#ports + 1] = port end
  end
  return ports
end

local function add_colour(sets, rows, colour, net)
  local targets, none = {}, {}
  for id, route in ipairs(colour.routes.list) do
    targets[id] = ports_of(net, routes.targets(route))
  end
  add_routes(sets, rows, colour.index, net, colour.routes.plane, targets)
  for id = 1, #colour.filters.list do targets[id] = none end
  add_routes(sets, rows, colour.index, net, colour.filters.plane, targets)
end

local function add_placements(sets, rows, placements)
  for y, ids in pairs(placements.plane.rows) do
    local row = rows[y]
    for x, id in pairs(ids) do
      for _, channel in ipairs(placements.list[id].channels()) do
        row[x] = sets:with(row[x], channel)
      end
    end
  end
end

-- {rows = ids of sets, sets = lists of channels by id, occurring = {id = flag}}
function knowledge.gather(layout)
  local net = layout.net
  local sets, rows = make_sets(), empty_rows(net.width, net.height)
  add_placements(sets, rows, layout.placements)
  for _, colour in ipairs(layout.channels) do add_colour(sets, rows, colour, net) end
  local occurring = {}
  for y = 0, net.height - 1 do
    local row = rows[y]
    for x = 1, #row do occurring[row[x]] = true end
  end
  return {rows = rows, sets = sets.list, occurring = occurring}
end

-- conflicts[a][b]: some PE knows both.
function knowledge.conflicts(known, count)
  local conflicts = {}
  for channel = 1, count do conflicts[channel] = {} end
  for id in pairs(known.occurring) do
    local members = known.sets[id]
    for _, a in ipairs(members) do
      for _, b in ipairs(members) do
        if a ~= b then conflicts[a][b] = true end
      end
    end
  end
  return conflicts
end

-- How many channels meet where most do.
function knowledge.most(known)
  local most = 0
  for id in pairs(known.occurring) do most = max(most, #known.sets[id]) end
  return most
end

-- The PE where most channels meet, the first of them: x, y, the list.
function knowledge.fullest(known, net)
  local best_x, best_y, best = 0, 0, {}
  for y = 0, net.height - 1 do
    local row = known.rows[y]
    for x = 1, #row do
      local members = known.sets[row[x]]
      if #members > #best then best_x, best_y, best = x - 1, y, members end
    end
  end
  return best_x, best_y, best
end

return knowledge
