-- Routes along paths: what every router on the way gets is gathered first and set at the end, so
-- that a call that is wrong changes nothing.
local host = require "wse.host"
local setmetatable, ipairs, format = setmetatable, ipairs, string.format

local ways = {}

local Way = {__metatable = false}
Way.__index = Way

local function pe_text(x, y) return format("(%d, %d)", x, y) end

-- rx and tx of the routers on the way, by PE index.
function ways.make(call, name, net)
  return setmetatable({call = call, name = name, net = net, rx = {}, tx = {}, order = {}}, Way)
end

function Way:index(x, y) return y * self.net.width + x end

-- The router of that index takes the colour from `rx`; nothing is sent yet.
function Way:enter_at(index, rx)
  local old = self.rx[index]
  if old == nil then
    self.rx[index], self.tx[index] = rx, 0
    self.order[#self.order + 1] = index
  elseif old ~= rx then
    local names = self.net.names
    host.raise(format("%s: '%s' comes to PE %s twice, from %s and from %s; a position has one: "
                      .. "take another way, colour or position", self.call, self.name,
                      pe_text(index % self.net.width, index // self.net.width), names[old],
                      names[rx]))
  end
end

function Way:enter(x, y, rx) self:enter_at(self:index(x, y), rx) end

function Way:send(x, y, port)
  local index = self:index(x, y)
  self.tx[index] = self.tx[index] | 1 << port
end

-- All PEs of the pieces, which take the colour already, send to the port.
function Way:send_all(pieces, port)
  local tx, bit = self.tx, 1 << port
  for _, piece in ipairs(pieces) do
    local xs, ys = piece[1], piece[2]
    for y = ys[1], ys[2], ys[3] do
      local row = y * self.net.width
      for index = row + xs[1], row + xs[2], xs[3] do tx[index] = tx[index] | bit end
    end
  end
end

-- Goes on from a PE, which takes the colour already, through the same port of `steps` PEs.
function Way:straight(x, y, port, steps)
  if steps == 0 then return end
  local index, net, tx = self:index(x, y), self.net, self.tx
  local stride = self:index(net.neighbour(x, y, port)) - index
  local bit, rx = 1 << port, net.opposite[port]
  for _ = 1, steps do
    tx[index] = tx[index] | bit
    index = index + stride
    self:enter_at(index, rx)
  end
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

return ways
