-- Slices that move as messages, cut into pieces of which all elements go by one way along x and by one
-- along y, or not at all along one of them; pieces that stay are copies. A piece is {from, to, sign}
-- along each axis: ranges with a rising `from`; sign 1 to larger positions, -1 to smaller, 0 stays.
local host = require "wse.host"
local slice = require "mach.lang.slice"
local abs, format, ipairs = math.abs, string.format, ipairs

-- A header has 10 bits for each coordinate of a PE; even numbers of workers, three rows between them.
local messages = {kMostWidth = 1024, kMostHeight = 1020}

local function sign_at(from, to, k)
  local by = to.first + k * to.step - from.first - k * from.step
  return by > 0 and 1 or by < 0 and -1 or 0
end

local function reversed(range)
  return slice.range(range.first + (range.count - 1) * range.step, range.count, -range.step)
end

local function part(range, first, count)
  return slice.range(range.first + first * range.step, count, count > 1 and range.step or 1)
end

-- The pieces of one axis, in the order of `from`.
function messages.pieces(from, to)
  if from.step < 0 then from, to = reversed(from), reversed(to) end
  local list, first = {}, 0
  for k = 1, from.count do
    local sign = sign_at(from, to, first)
    if k == from.count or sign_at(from, to, k) ~= sign then
      list[#list + 1] = {from = part(from, first, k - first), to = part(to, first, k - first), sign = sign}
      first = k
    end
  end
  return list
end

-- Whether a move goes to the next worker alone, which neighbours exchange.
function messages.is_step(from, to)
  local same_steps = (from.x.count == 1 or from.x.step == to.x.step)
                     and (from.y.count == 1 or from.y.step == to.y.step)
  return same_steps and abs(from.x.first - to.x.first) + abs(from.y.first - to.y.first) == 1
end

-- Refuses a move as messages on a grid whose places a header cannot hold.
function messages.check_grid(name, width, height)
  if width > messages.kMostWidth or height > messages.kMostHeight then
    host.raise(format("%s: messages find their way on %d x %d workers at most, these are %d x %d; route = "
                      .. "\"exchange\" goes by neighbours", name, messages.kMostWidth, messages.kMostHeight,
                      width, height))
  end
end

-- Adds the nodes that do the same as `node`, a shift: copies and messages.
function messages.split(nodes, node)
  local from, to = node.sources[1], node.dest
  for _, y in ipairs(messages.pieces(from.y, to.y)) do
    for _, x in ipairs(messages.pieces(from.x, to.x)) do
      nodes[#nodes + 1] = {
        op = x.sign == 0 and y.sign == 0 and "copy" or "message", type = node.type, x = x, y = y,
        dest = slice.with_ranges(to, x.to, y.to), sources = {slice.with_ranges(from, x.from, y.from)},
        file = node.file, line = node.line}
    end
  end
end

return messages
