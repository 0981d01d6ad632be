-- The wave equation with constant density in a model of velocities, with absorbing layers: what the
-- stencil compiler is given, for one shot.
local cpml = require "stencil.modelling.cpml"
local host = require "wse.host"
local layers = require "stencil.modelling.layers"
local parts = require "stencil.modelling.parts"
local stencil = require "stencil"
local wave = require "stencil.lib.wave"
local format, tostring = string.format, tostring

local acoustic = {}

-- A velocity above vmax would be unstable and reflected by the layers.
local function check_velocity(request, value)
  local cells = parts.cells(request)
  local low, sizes = cells.low, cells.sizes
  for y = 0, sizes[2] - 1 do
    for x = 0, sizes[1] - 1 do
      for z = 0, sizes[3] - 1 do
        local v = value(x, y, z)
        if not (v >= 0 and v <= request.vmax) then  -- NaN is neither
          host.raise(format("velocity: %g m/s at cell %d,%d,%d; 0 to vmax = %g is wanted", v, x + low[1], y + low[2],
                            z + low[3], request.vmax))
        end
      end
    end
  end
end

-- The parameter v; a file that does not fit is told by its argument. With a window the velocity is a number or a function.
local function velocity_of(request, g)
  local velocity = request.velocity
  if request.window and type(velocity) == "function" then
    local given, low = velocity, request.window.low
    velocity = function(x, y, z) return given(x + low[1], y + low[2], z + low[3]) end
  end
  local fine, v = pcall(g.parameter, g, "v", velocity)
  if not fine then host.raise("velocity: " .. tostring(v):gsub("^.-the value: ", "")) end
  return v
end

-- Returns the velocities of a request, checked, as a function of (x, y, z).
function acoustic.velocities(request)
  local g = stencil.grid{nx = request.nx, ny = request.ny, nz = request.nz}
  local v = velocity_of(request, g)
  if v.kind ~= "parameter" then return function() return v.value end end
  check_velocity(request, v.parameter.value)
  return v.parameter.value
end

local function has_layers(request)
  for _, width in ipairs(request.layers) do
    if width > 0 then return true end
  end
  return false
end

-- Returns the laplacian of p times `by`^2, and `more` p, with coefficients as wave.balanced gives them.
local function laplacian_of(request, p, by, more)
  local exact = wave.coefficients{dt = by, velocity = 1.0, dx = request.dx, dy = request.dy, dz = request.dz}
  exact.centre = exact.centre - 2 + more
  local c, sum = wave.balanced(exact), nil
  for k, axis in ipairs{"x", "y", "z"} do
    for m = -wave.reach, wave.reach do
      local offset = {0, 0, 0}
      offset[k] = m
      local term = m ~= 0 and c[axis][math.abs(m)] * p:at(table.unpack(offset)) or k == 1 and c.centre * p or nil
      if term then sum = sum and sum + term or term end
    end
  end
  return sum
end

-- Returns the equation of one velocity without layers: the centre has one coefficient, which is balanced with its 2.
local function constant_step(request, p)
  local c = wave.balanced(wave.coefficients(request))
  local sum = c.centre * p - p.before
  for k, axis in ipairs{"x", "y", "z"} do
    for m = -wave.reach, wave.reach do
      local offset = {0, 0, 0}
      offset[k] = m
      if m ~= 0 then sum = sum + c[axis][math.abs(m)] * p:at(table.unpack(offset)) end
    end
  end
  return sum
end

-- Adds the equations of Minimod's layers.
local function add_minimod(request, g, p, state, v)
  local sizes, profiles, low = {request.nx, request.ny, request.nz}, {}, parts.cells(request).low
  for k = 1, 3 do
    local profile = layers.profile(sizes[k], request.layers[2 * k - 1], request.layers[2 * k], request.spacing[k],
                                   request.vmax, request.dt)
    profiles[k] = function(at) return profile(at + low[k]) end
  end
  local own = layers.parameters(g, profiles, request.spacing)
  local phi = g:field("phi", state.phi)
  local flow = phi
  for k, offset in ipairs{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} do
    if request.layers[2 * k - 1] + request.layers[2 * k] > 0 then
      local ahead, behind = p:at(table.unpack(offset)), p:at(-offset[1], -offset[2], -offset[3])
      flow = flow - own.g[k] * (ahead - behind)
    end
  end
  local change
  if v.kind == "number" then  -- a part of the coefficients, before they are rounded
    local by = request.dt * request.velocity
    change = laplacian_of(request, p, by, 1) + by ^ 2 * phi
  else
    change = (v * g.dt) ^ 2 * (laplacian_of(request, p, 1.0, 0) + phi) + p
  end
  g:update{p, p + own.b * (change - p.before - own.e * p)}
  g:update{phi, own.c * flow}
  return {p = p, phi = phi}
end

-- Returns the grid of a request with its equations, and the fields by their names, p and those of the layers. state:
-- what they begin with, {p = {initial =, before =}, phi = {initial =}, ...}; 0 without it.
function acoustic.grid(request, state)
  state = state or {}
  local cells = parts.cells(request)
  local g = stencil.grid{nx = cells.sizes[1], ny = cells.sizes[2], nz = cells.sizes[3], dx = request.dx, dy = request.dy,
                         dz = request.dz, dt = request.dt, mirror = request.mirrored}
  local p, v = g:field("p", state.p), velocity_of(request, g)
  if v.kind == "parameter" then check_velocity(request, v.parameter.value) end
  if v.kind == "number" and not has_layers(request) then
    g:update{p, constant_step(request, p)}
    return g, {p = p}
  end
  if not has_layers(request) then
    g:update{p, 2 * p - p.before + (v * g.dt) ^ 2 * laplacian_of(request, p, 1.0, 0)}
    return g, {p = p}
  end
  if request.absorber == "cpml" then return g, cpml.add(request, g, p, state, (v * g.dt) ^ 2, cells.low) end
  return g, add_minimod(request, g, p, state, v)
end

-- Adds a shot at a cell, of which so many steps are over, and the receivers, whose traces are called r1, r2, ...
function acoustic.add_survey(request, g, p, cell, steps_over)
  parts.add_survey(request, g, {p = p}, {p = 1.0}, cell, steps_over)
end

return acoustic
