-- Absorbing layers around a model: the profiles of Minimod's convolutional perfectly matched layer. The
-- damping eta of a cell is the sum over the axes of
--     eta_k = (k / n)^2 * dt * 3 vmax ln(1000) / (2 n d)
-- in a layer of n cells of spacing d, whose outermost cell has k = n - 1, and k = n lies beyond it.
--
-- These layers are not stable: a wave that hardly changes stays in them and grows, the faster the thinner they are.
-- With the usual dt layers of 3 cells double it in 22 steps, those of 27 cells in 7000. A smaller dt does not help.
local wave = require "stencil.lib.wave"

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

-- Returns what the equations need of the profiles ex, ey, ez: parameters of a grid {e, b, c, gx, gy, gz}:
--     p.next   = p + b (v^2 dt^2 (laplacian + phi) + p - p.before - e p)
--     phi.next = c (phi - sum over axes of g (difference of p over two cells))
-- Minimod's ((2 eta + 2 - eta^2) p + ... - p.before) / (1 + 2 eta) is the same. So written, a factor that is rounded
-- changes how fast p moves; a rounded factor of p itself would push a p that hardly changes on in every step.
function layers.parameters(g, profiles, spacing)
  local ex, ey, ez = table.unpack(profiles)
  local function eta(x, y, z) return ex(x) + ey(y) + ez(z) end
  local function slope(profile, d, at) return (profile(at + 1) - profile(at - 1)) / (4 * d ^ 2) end
  return {
    e = g:parameter("e", function(x, y, z) return eta(x, y, z) ^ 2 end),
    b = g:parameter("b", function(x, y, z) return 1 / (1 + 2 * eta(x, y, z)) end),
    c = g:parameter("c", function(x, y, z) return 1 / (1 + eta(x, y, z)) end),
    g = {
      g:parameter("gx", function(x) return slope(ex, spacing[1], x) end),
      g:parameter("gy", function(_, y) return slope(ey, spacing[2], y) end),
      g:parameter("gz", function(_, _, z) return slope(ez, spacing[3], z) end),
    },
  }
end

-- ---- how much waves grow

local kMostInner = 8    -- cells between the layers; with more of them waves grow more slowly
local kMostRun = 4000   -- steps that are tried
local kReach = wave.reach

-- Returns the largest values of a line with layers after steps / 2 and after all steps. It begins with 1 in the middle;
-- waves that do not change across the line grow fastest.
local function tried(low, high, spacing, vmax, dt, steps)
  local cells = low + high + kMostInner
  local profile, scale = layers.profile(cells, low, high, spacing, vmax, dt), (vmax * dt / spacing) ^ 2
  local weights = wave.coefficients{dt = dt, velocity = vmax, dx = spacing, dy = math.huge, dz = math.huge}
  local now, before, phi, next_phi = {}, {}, {}, {}
  for k = 1 - kReach, cells + kReach do now[k], before[k], phi[k] = 0.0, 0.0, 0.0 end
  now[cells // 2] = 1.0
  local damping, slope = {}, {}
  for k = 1, cells do damping[k], slope[k] = profile(k - 1), (profile(k) - profile(k - 2)) / 4 end
  local function largest()
    local most = 0.0
    for k = 1, cells do most = math.max(most, math.abs(now[k])) end
    return most
  end
  local half
  for step = 1, steps do
    for k = 1, cells do
      local eta, around = damping[k], (weights.centre - 2) * now[k]
      for m = 1, kReach do around = around + weights.x[m] * (now[k + m] + now[k - m]) end
      before[k] = ((2 * eta + 2 - eta ^ 2) * now[k] + around + scale * phi[k] - before[k]) / (1 + 2 * eta)
      next_phi[k] = (phi[k] - slope[k] * (now[k + 1] - now[k - 1])) / (1 + eta)
    end
    now, before, phi, next_phi = before, now, next_phi, phi
    if step == steps // 2 then half = largest() end
  end
  return half, largest()
end

-- Returns by how much waves in layers of `low` and `high` cells at the ends of an axis grow in so many steps, at most;
-- math.huge if that is no number.
function layers.growth(low, high, spacing, vmax, dt, steps)
  local tries = math.min(steps, kMostRun)
  if low + high == 0 or tries < 2 then return 1.0 end
  local half, all = tried(low, high, spacing, vmax, dt, tries)
  if not (half > 0 and half < math.huge and all > 0) then return math.huge end  -- beyond the largest number, or NaN
  return (all / half) ^ (steps / (tries - tries // 2))
end

return layers
