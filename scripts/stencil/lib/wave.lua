-- The acoustic wave equation with constant density: coefficients of eighth order, the largest
-- stable time step, the source. Conventions are those of Minimod: c multiplies the sum of both
-- neighbours at distance m, the centre counts once, and the source is added as it is.
local wave = {}

local kWeights = {[0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560}
wave.reach = 4

-- The share of the largest stable time step that is taken if none is given.
wave.cfl = 0.8

local kScale = 8  -- of the source: how narrow the pulse is

-- The largest eigenvalue of the scheme along one axis, times its spacing squared.
local function spectral_radius()
  local sum = math.abs(kWeights[0])
  for m = 1, wave.reach do sum = sum + 2 * math.abs(kWeights[m]) end
  return sum
end

-- The largest dt for which no wave of the grid grows: (dt V)^2 sum of radius / d^2 <= 4.
function wave.stable_dt(velocity, dx, dy, dz)
  local sum = 1 / dx ^ 2 + 1 / dy ^ 2 + 1 / dz ^ 2
  return 2 / (velocity * math.sqrt(spectral_radius() * sum))
end

-- u_new = centre u + sum over axes of c[m] (neighbours at distance m) - u_before: {centre, x = {c1,
-- ..}, y =, z =}.
function wave.coefficients(request)
  local scale = (request.dt * request.velocity) ^ 2
  local result = {centre = 2.0}
  for _, axis in ipairs{"x", "y", "z"} do
    local by = scale / request["d" .. axis] ^ 2
    result.centre = result.centre + by * kWeights[0]
    result[axis] = {}
    for m = 1, wave.reach do result[axis][m] = by * kWeights[m] end
  end
  return result
end

-- What is added in step n = 0, 1, ...: a Ricker-like pulse of maximum frequency fmax.
function wave.source(n, fmax, dt)
  local sigma = 0.6 * fmax
  local q = (sigma * n * dt - 1) ^ 2
  return -2 * kScale * sigma * (sigma - 2 * sigma * kScale * q) * math.exp(-kScale * q)
end

-- As f32 holds it: the pulse is over where its values are 0.
local function as_f32(value) return (string.unpack("<f", string.pack("<f", value))) end

-- The values of the steps up to the last one that is not 0, `most` of them at most.
function wave.samples(request, most)
  local list = {}
  local peak = 1 / (0.6 * request.fmax * request.dt)  -- before it the pulse never ends
  for n = 0, math.min(request.steps, most) - 1 do
    list[n + 1] = wave.source(n, request.fmax, request.dt)
    if n > peak and as_f32(list[n + 1]) == 0 then break end
  end
  return list
end

return wave
