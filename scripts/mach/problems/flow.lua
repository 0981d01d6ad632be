-- A lattice Boltzmann flow, D2Q9 with one relaxation time, on a plane of workers; nz layers that know
-- nothing of each other, each with an amplitude of its own. Free-slip walls lie half a link beyond
-- the border: what meets one comes back with its normal velocity reversed. It begins with the
-- Taylor-Green vortex that fits between them, which decays as exp(-nu (kx^2 + ky^2) t).
local command = require "mach.problems.command"
local derived = require "support.figures"
local host = require "wse.host"
local format, tostring, sin, cos, pi = string.format, tostring, math.sin, math.cos, math.pi

local flow = {name = "flow", arguments = {steps = 100, tau = 0.8, amplitude = 0.02},
              ranges = {steps = {0}, amplitude = {-1.0, 1.0}}}

-- Directions and weights; kOpposite[axis][k] is direction k with that velocity reversed.
local kX = {[0] = 0, 1, 0, -1, 0, 1, -1, -1, 1}
local kY = {[0] = 0, 0, 1, 0, -1, 1, 1, -1, -1}
local kWeight = {[0] = 4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36}

local function direction(x, y)
  for k = 0, 8 do
    if kX[k] == x and kY[k] == y then return k end
  end
end

-- The slices of the workers that have an upstream neighbour on an axis, of that neighbour, and of
-- those at the wall.
local function upstream(velocity)
  if velocity == 0 then return ":", ":", nil end
  if velocity > 0 then return "1:", ":-1", "0" end
  return ":-1", "1:", "-1"
end

-- Each population moves by one link, and comes back from the walls.
local function stream(new, old)
  for k = 0, 8 do
    local to_x, from_x, wall_x = upstream(kX[k])
    local to_y, from_y, wall_y = upstream(kY[k])
    local function move(tx, ty, from, fx, fy)
      new[k][format("%s, %s, :", tx, ty)] = from[format("%s, %s, :", fx, fy)]
    end
    move(to_x, to_y, old[k], from_x, from_y)
    if wall_x then move(wall_x, to_y, old[direction(-kX[k], kY[k])], wall_x, from_y) end
    if wall_y then move(to_x, wall_y, old[direction(kX[k], -kY[k])], from_x, wall_y) end
    if wall_x and wall_y then
      move(wall_x, wall_y, old[direction(-kX[k], -kY[k])], wall_x, wall_y)
    end
  end
end

-- A worker divides element by element: once is enough.
local function velocities(f, rho, u, v, inverse)
  rho:set(f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8])
  inverse:set(1 / rho)
  u:set(((f[1] - f[3]) + (f[5] - f[6]) + (f[8] - f[7])) * inverse)
  v:set(((f[2] - f[4]) + (f[5] - f[8]) + (f[6] - f[7])) * inverse)
end

-- Towards the equilibrium w rho (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u), by 1 / tau.
local function collide(f, rho, u, v, rest, omega)
  rest:set(1 - 1.5 * (u * u + v * v))
  for k = 0, 8 do
    local along = kX[k] == 0 and (kY[k] < 0 and -v or v) or kY[k] == 0 and (kX[k] < 0 and -u or u)
    if k == 0 then along = nil end
    if kX[k] ~= 0 and kY[k] ~= 0 then along = (kX[k] < 0 and -u or u) + (kY[k] < 0 and -v or v) end
    local wanted = along and rest + 3 * along + 4.5 * (along * along) or rest
    f[k]:set(f[k] + omega * (kWeight[k] * rho * wanted - f[k]))
  end
end

-- The vortex, with the pressure that goes with it, as equilibrium populations.
local function vortex(options)
  local kx, ky = pi / options.width, pi / options.height
  return function(x, y, i)
    local a = options.amplitude * (1 + i / options.nz) / 2
    local px, py = kx * (x + 0.5), ky * (y + 0.5)
    local u, v = a * sin(px) * cos(py), -a * kx / ky * cos(px) * sin(py)
    local rho = 1 + 3 * a * a / 4 * (cos(2 * px) + (kx / ky) ^ 2 * cos(2 * py))
    return rho, u, v, sin(px) * cos(py)
  end
end

local function equilibrium(options, k)
  local at = vortex(options)
  return function(x, y, i)
    local rho, u, v = at(x, y, i)
    local along = kX[k] * u + kY[k] * v
    return kWeight[k] * rho * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v))
  end
end

function flow.run(given)
  local options = command.options(flow, given)
  if not (options.tau > 0.5 and options.tau < math.huge) then host.raise(format("tau = %s: more than 0.5 is wanted", tostring(options.tau))) end
  local p = command.program(options)
  local f, moved = {}, {}
  for k = 0, 8 do f[k] = p:LA("f" .. k, options.nz, equilibrium(options, k)) end
  for k = 0, 8 do moved[k] = p:LA("moved" .. k, options.nz) end
  local rho, u, v, rest = p:LA("rho", options.nz), p:LA("u", options.nz), p:LA("v", options.nz),
                          p:LA("rest", options.nz)
  local at = vortex(options)
  local mode = p:LA("mode", options.nz, function(x, y, i) return (select(4, at(x, y, i))) end)
  local first, last = p:GS("first"), p:GS("last")
  p:output(first, last, u, v)
  local function steps(count)
    p:loop(count, function()
      velocities(f, rho, u, v, rest)
      collide(f, rho, u, v, rest, 1 / options.tau)
      stream(moved, f)
      for k = 0, 8 do f[k]:set(moved[k]) end
    end)
    velocities(f, rho, u, v, rest)
  end
  -- The first steps find the part that is no equilibrium.
  local warmup = options.steps // 5
  steps(warmup)
  first:set(p:dot(u, mode))
  steps(options.steps - warmup)
  last:set(p:dot(u, mode))
  local result = command.run(p, options)
  local kx, ky = pi / options.width, pi / options.height
  return command.figures(result, {
    rate = derived.decay(result:value("first"), result:value("last"), options.steps - warmup),
    rate_exact = (options.tau - 0.5) / 3 * (kx * kx + ky * ky)})
end

function flow.lines(figures)
  return format("  the vortex decays by %s per step, in a continuum by %.7f",
                derived.text("%.7f", figures.rate), figures.rate_exact)
end

return flow
