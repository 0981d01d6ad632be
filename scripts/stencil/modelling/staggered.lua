-- Equations of first order on staggered grids: derivatives of order 8 at half points, stretched in the layers as in cpml.lua, and what a
-- medium is at half points. All propagators of first order are written with it. Must not know the compiler.
--
-- Along x and y, where a PE has one factor for its whole column, df/dk + psi.next is written as (1 + a) df/dk + b psi, such that the
-- derivative is computed once. Along z only the cells of the layers have a psi: they are changed after the others.
local cpml = require "stencil.modelling.cpml"
local medium = require "stencil.modelling.medium"
local stencil = require "stencil"
local format = string.format

local staggered = {}

local kAxes = {"x", "y", "z"}
local kOrder = {order = 8, staggered = true}

local Grid = {}
Grid.__index = Grid

-- Returns the equations of a request, to which fields are added; state: what they begin with, {name = {initial =}}, or nil.
function staggered.new(request, state)
  local g = stencil.grid{nx = request.nx, ny = request.ny, nz = request.nz, dx = request.dx, dy = request.dy, dz = request.dz,
                         dt = request.dt}
  return setmetatable({g = g, request = request, medium = medium.of(request), state = state or {}, fields = {}, profiles = {}}, Grid)
end

-- Returns a new field at a position; surface: "odd" or "even" about a free surface.
function Grid:field(name, at, surface)
  local begin = self.state[name] or {}
  local field = self.g:field(name, {at = at, initial = begin.initial,
                                    surface = self.request.surface == "free" and surface or nil})
  self.fields[name] = field
  return field
end

-- Returns the widths of the layers along axis k.
local function widths(request, k) return request.layers[2 * k - 1], request.layers[2 * k] end

-- Returns the parameters a and b of an axis for results at a position.
function Grid:profile(k, position)
  local axis = kAxes[k]
  local half = position:find(axis, 1, true) and 0.5 or 0.0
  local key = axis .. (half > 0 and "_half" or "")
  if not self.profiles[key] then
    local request, low, high = self.request, widths(self.request, k)
    local sizes = {request.nx, request.ny, request.nz}
    local a, b = cpml.profiles(sizes[k], low, high, request.spacing[k], request.vmax, request.dt, request.fmax)
    local function at(f) return function(...) return f(select(k, ...) + half) end end
    local along = {along = axis}
    self.profiles[key] = {a = self.g:parameter("a_" .. key, at(a), along), b = self.g:parameter("b_" .. key, at(b), along)}
  end
  return self.profiles[key]
end

-- Returns the cells of the layers along z in which waves are damped; nil if there are none. Layers of one width have the same number
-- of cells at both ends, the first one of each undamped, such that one instruction reaches both.
function Grid:damped()
  local low, high = widths(self.request, 3)
  local is_even = low == high and low + high <= self.request.nz
  low, high = math.min(math.max(is_even and low or low - 1, 0), self.request.nz), math.min(high, self.request.nz)
  if low + high == 0 then return nil end
  return self.g:layers{z = {low, high}}
end

-- Returns the derivative of a field along axis k. Along x and y it is stretched. Along z the second result is the field psi of the
-- layers, which is to be added to it there, with psi.next; nil without layers.
function Grid:slope(field, name, k)
  local axis = kAxes[k]
  local slope = stencil.d(field, axis, kOrder)
  local low, high = widths(self.request, k)
  if low + high == 0 then return slope end
  local psi = self:field(format("psi_%s_%s", name, axis), slope.position)
  local own, damped = self:profile(k, slope.position), k == 3 and self:damped() or nil
  if k < 3 then
    self.g:update{psi, own.b * psi + own.a * slope}
    return (1 + own.a) * slope + own.b * psi
  end
  if not damped then return slope end
  self.g:update{psi, own.b * psi + own.a * slope, where = damped}
  return slope, psi
end

-- Adds field.next = field + sum of scale * slope over terms {scale =, slope =, psi =}, psi in the layers along z only.
function Grid:advance(field, terms)
  local sum = field
  for _, term in ipairs(terms) do sum = sum + term.scale * term.slope end
  self.g:update{field, sum}
end

-- Adds what the layers along z change: psi.next times the scale of its term, for all terms that have a psi.
function Grid:damp(field, terms)
  local sum
  for _, term in ipairs(terms) do
    if term.psi then sum = (sum or field.next) + term.scale * term.psi.next end
  end
  if sum then self.g:update{field, sum, where = self:damped()} end
end

-- ---- a medium

-- Returns a function of a cell as one that may lie beyond the last ones, where the nearest one counts.
local function continued(request, value)
  local nx, ny, nz = request.nx, request.ny, request.nz
  return function(x, y, z) return value(math.min(x, nx - 1), math.min(y, ny - 1), math.min(z, nz - 1)) end
end

-- Calls see(x, y, z) for the cells whose centres are the nearest to a position: 1, 2 or 4.
local function each_near(position, x, y, z, see)
  local dx, dy, dz = position:find("x") and 1 or 0, position:find("y") and 1 or 0, position:find("z") and 1 or 0
  for i = 0, dx do
    for j = 0, dy do
      for k = 0, dz do see(x + i, y + j, z + k) end
    end
  end
end

-- Returns a function of a cell that gives the mean of a value at a position.
local function mean_near(request, value, position)
  value = continued(request, value)
  return function(x, y, z)
    local sum, count = 0.0, 0
    each_near(position, x, y, z, function(...) sum, count = sum + value(...), count + 1 end)
    return sum / count
  end
end

-- Returns the parameter `by` / the mean of a density at a position.
function Grid:buoyancy(name, density, position, by)
  local mean = mean_near(self.request, density, position)
  return self.g:parameter(name, function(...) return by / mean(...) end, {along = self.medium.along})
end

-- Returns the parameter `by` * the mean of a stiffness at a position.
function Grid:stiffness(name, stiffness, position, by)
  local mean = mean_near(self.request, stiffness, position)
  return self.g:parameter(name, function(...) return by * mean(...) end, {along = self.medium.along})
end

-- Returns the parameter `by` * the harmonic mean of a modulus at a position: 0 where any cell has 0.
function Grid:compliance(name, modulus, position, by)
  local mean = mean_near(self.request, function(...) return 1 / modulus(...) end, position)
  return self.g:parameter(name, function(...) return by / mean(...) end, {along = self.medium.along})
end

return staggered
