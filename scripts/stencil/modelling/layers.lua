-- Absorbing layers around a model: the profiles of Minimod's convolutional perfectly matched layer. The
-- damping eta of a cell is the sum over the axes of
--     eta_k = (k / n)^2 * dt * 3 vmax ln(1000) / (2 n d)
-- in a layer of n cells of spacing d, whose outermost cell has k = n - 1, and k = n lies beyond it.
local layers = {}

local kReflection = 1000  -- of a wave that crosses the layer and comes back, the inverse

-- Returns a function of the coordinate, from -1 to `size`, for an axis with layers of that many cells at
-- its low and its high end.
function layers.profile(size, low, high, spacing, vmax, dt)
  local function of_side(k, cells)
    if k <= 0 or cells == 0 then return 0.0 end
    return (k / cells) ^ 2 * dt * 3 * vmax * math.log(kReflection) / (2 * cells * spacing)
  end
  return function(at)
    return math.max(of_side(low - 1 - at, low), of_side(at - (size - high), high))
  end
end

-- Returns what the equations need of the profiles ex, ey, ez: parameters of a grid {a, b, c, gx, gy, gz}:
--     p.next   = a p + b (v^2 dt^2 (laplacian + phi) - p.before)
--     phi.next = c (phi - sum over axes of g (difference of p over two cells))
function layers.parameters(g, profiles, spacing)
  local ex, ey, ez = table.unpack(profiles)
  local function eta(x, y, z) return ex(x) + ey(y) + ez(z) end
  local function slope(profile, d, at) return (profile(at + 1) - profile(at - 1)) / (4 * d ^ 2) end
  return {
    a = g:parameter("a", function(x, y, z)
      local e = eta(x, y, z)
      return (2 * e + 2 - e ^ 2) / (1 + 2 * e)
    end),
    b = g:parameter("b", function(x, y, z) return 1 / (1 + 2 * eta(x, y, z)) end),
    c = g:parameter("c", function(x, y, z) return 1 / (1 + eta(x, y, z)) end),
    g = {
      g:parameter("gx", function(x) return slope(ex, spacing[1], x) end),
      g:parameter("gy", function(_, y) return slope(ey, spacing[2], y) end),
      g:parameter("gz", function(_, _, z) return slope(ez, spacing[3], z) end),
    },
  }
end

return layers
