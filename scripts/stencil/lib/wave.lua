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

-- Weights of a first derivative of order 8 at half points, at distances 1/2, 3/2, 5/2, 7/2.
local kSlopes = {1225 / 1024, -245 / 3072, 49 / 5120, -5 / 7168}

-- The largest dt for which no wave grows where fields are half a cell apart: dt V sqrt(sum of 1 / d^2) sum |weights| <= 1.
function wave.staggered_stable_dt(velocity, dx, dy, dz)
  local sum = 0.0
  for _, weight in ipairs(kSlopes) do sum = sum + math.abs(weight) end
  return 1 / (velocity * sum * math.sqrt(1 / dx ^ 2 + 1 / dy ^ 2 + 1 / dz ^ 2))
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

local function as_f32(value) return (string.unpack("<f", string.pack("<f", value))) end

-- Takes from the coefficients at distances m + 1 .. last what that at distance m is too large by, such that as many even
-- moments stay (Lagrange in m^2). Farther ones keep theirs: small as they are, they would change by more than rounding.
local function pass_on(list, m, excess, last)
  for k = m + 1, last do
    local factor = 1.0
    for l = m + 1, last do
      if l ~= k then factor = factor * (m ^ 2 - l ^ 2) / (k ^ 2 - l ^ 2) end
    end
    list[k] = list[k] - excess * factor
  end
end

-- Returns coefficients as f32 holds them, for which waves go as fast as for the exact ones. Each rounded by itself, that
-- of the centre is up to 6e-8 off: in 200 steps that shifts waves ten times as far as the rounding of values does.
function wave.balanced(coefficients)
  local result = {centre = as_f32(coefficients.centre)}
  local excess, all = result.centre - coefficients.centre, 0.0
  for _, axis in ipairs{"x", "y", "z"} do all = all + coefficients[axis][1] end
  for _, axis in ipairs{"x", "y", "z"} do
    local list = table.move(coefficients[axis], 1, wave.reach, 1, {})
    if all > 0 then pass_on(list, 0, excess / 2 * coefficients[axis][1] / all, 2) end
    for m = 1, wave.reach do
      local rounded = as_f32(list[m])
      pass_on(list, m, rounded - list[m], math.min(m + 1, wave.reach))
      list[m] = rounded
    end
    result[axis] = list
  end
  return result
end

-- Returns what is added in step n = 0, 1, ...: a Ricker-like pulse of maximum frequency fmax.
function wave.source(n, fmax, dt)
  local sigma = 0.6 * fmax
  local q = (sigma * n * dt - 1) ^ 2
  return -2 * kScale * sigma * (sigma - 2 * sigma * kScale * q) * math.exp(-kScale * q)
end

-- The values of the steps up to the last one that is not 0 as f32, `most` of them at most.
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
