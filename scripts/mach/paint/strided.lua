-- Strided rectangles {xs, ys} of two progressions {first, last, step}: moved, repeated, cut out.
-- Areas are kept as these, so a field of any size costs as its pattern, not as its PEs.
local progression = require "wse.layout.progression"
local ipairs = ipairs

local strided = {}

local function shifted(p, by) return {p[1] + by, p[2] + by, p[3]} end

-- All pieces, moved.
function strided.moved(pieces, x, y)
  local moved = {}
  for k, piece in ipairs(pieces) do moved[k] = {shifted(piece[1], x), shifted(piece[2], y)} end
  return moved
end

-- A progression n times, each `period` after the one before: few progressions.
local function repeated(p, n, period)
  local count = progression.count(p)
  if count == 1 then return {progression.make(p[1], p[1] + (n - 1) * period, period)} end
  if count * p[3] == period then return {{p[1], p[2] + (n - 1) * period, p[3]}} end
  local list = {}
  if count <= n then
    for value = p[1], p[2], p[3] do
      list[#list + 1] = progression.make(value, value + (n - 1) * period, period)
    end
  else
    for k = 0, n - 1 do list[#list + 1] = shifted(p, k * period) end
  end
  return list
end

-- All pieces n times along x (axis 1) or y (axis 2).
function strided.repeated(pieces, axis, n, period)
  local all = {}
  for _, piece in ipairs(pieces) do
    for _, p in ipairs(repeated(piece[axis], n, period)) do
      all[#all + 1] = axis == 1 and {p, piece[2]} or {piece[1], p}
    end
  end
  return all
end

function strided.whole(width, height)
  return {{{0, width - 1, 1}, {0, height - 1, 1}}}
end

return strided
