-- The tree of a multicast on a mesh, along x, then y (or y, then x):
--
--     |   |       |          branches, each from the trunk to the farthest PEs that want the words
--   --+---+--S----+--        the trunk, through the source S
--     |           |
local ipairs, min, max = ipairs, math.min, math.max

local multicast = {}

-- On a mesh: a trunk through the source, and at every place of it that needs one a branch to the
-- farthest PEs on both sides. Along the trunk goes u, along branches v: x and y, or y and x.
function multicast.gather(way, x0, y0, to, order)
  local u_axis, v_axis, forth, back, up, down = 1, 2, 1, 0, 2, 3
  local u0, v0 = x0, y0
  if order == "yx" then
    u_axis, v_axis, forth, back, up, down = 2, 1, 3, 2, 0, 1
    u0, v0 = y0, x0
  end
  local from, last, left, right = {}, {}, u0, u0
  for _, piece in ipairs(to.pieces) do
    local us, vs = piece[u_axis], piece[v_axis]
    left, right = min(left, us[1]), max(right, us[2])
    for u = us[1], us[2], us[3] do
      from[u], last[u] = min(from[u] or v0, vs[1]), max(last[u] or v0, vs[2])
    end
  end
  way:straight(x0, y0, forth, right - u0)
  way:straight(x0, y0, back, u0 - left)
  for u = left, right do
    if from[u] then
      local x, y = u, v0
      if order == "yx" then x, y = v0, u end
      way:straight(x, y, down, last[u] - v0)
      way:straight(x, y, up, v0 - from[u])
    end
  end
end

return multicast
