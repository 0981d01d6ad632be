-- The tree of a multicast on a mesh, along x, then y (or y, then x):
--
--     |   |       |          branches, each from the trunk to the farthest PEs that want the words
--   --+---+--S----+--        the trunk, through the source S
--     |           |
local min, max = math.min, math.max

local multicast = {}

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
function multicast.gather(way, net, x0, y0, to, order)
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

return multicast
