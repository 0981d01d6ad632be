-- The elastic wave equation of first order in an isotropic medium, on the Yee grid: normal stresses on the cells, velocities of
-- particles between two of them, shear stresses between four,
--     rho dv/dt = div(s)        ds/dt = lambda div(v) + mu (grad(v) + grad(v)^T)
-- with lambda + 2 mu = rho vp^2 and mu = rho vs^2. Velocities are those half a step earlier.
--
-- At a free surface, the plane z = 0, szz is 0, and stresses across it are odd about it (Levander 1988). Velocities are even: then
-- differences of both are adjoint, and no wave grows. There dvz/dz follows from szz = 0: what szz would become is taken from sxx
-- and syy.
local staggered = require "stencil.modelling.staggered"
local tilted = require "stencil.modelling.tilted"

local elastic_iso = {fields = {"vz", "vx", "vy", "sxx", "syy", "szz", "sxy", "sxz", "syz"}, media = {"density", "shear"},
                     source = tilted.shot}

local kAxes = {"x", "y", "z"}

local stress_name = tilted.stress

local function add_fields(own)
  local v, s = {}, {}
  for k, axis in ipairs(kAxes) do v[k] = own:field("v" .. axis, axis, "even") end
  for k = 1, 3 do
    for l = k, 3 do
      local name = stress_name(k, l)
      s[name] = own:field(name, k == l and "" or kAxes[k] .. kAxes[l], l == 3 and "odd" or nil)
    end
  end
  return v, s
end

local function advance_velocities(own, v, s, model)
  for k, axis in ipairs(kAxes) do
    local scale, sum, psi = own:buoyancy("buoyancy_" .. axis, model.density, axis, own.request.dt), nil, nil
    for l = 1, 3 do
      local slope
      slope, psi = own:slope(s[stress_name(k, l)], stress_name(k, l), l)
      sum = sum and sum + slope or slope
    end
    local terms = {{scale = scale, slope = sum, psi = psi}}
    own:advance(v[k], terms)
    own:damp(v[k], terms)
  end
end

-- Normal stresses: each slope times lambda, or lambda + 2 mu where it is along the same axis.
local function advance_normal(own, v, s, along, across)
  local slopes, psis = {}, {}
  for l, axis in ipairs(kAxes) do slopes[l], psis[l] = own:slope(v[l].next, "v" .. axis, l) end
  for k = 1, 3 do
    local terms = {}
    for l = 1, 3 do terms[l] = {scale = k == l and along or across, slope = slopes[l], psi = psis[l]} end
    own:advance(s[stress_name(k, k)], terms)
    own:damp(s[stress_name(k, k)], terms)
  end
end

local function advance_shear(own, v, s, model)
  for k = 1, 2 do
    for l = k + 1, 3 do
      local name, position = stress_name(k, l), kAxes[k] .. kAxes[l]
      local scale = own:compliance("rigidity_" .. position, model.rigidity, position, own.request.dt)
      local first, psi = own:slope(v[k].next, "v" .. kAxes[k], l)
      local terms = {{scale = scale, slope = first + own:slope(v[l].next, "v" .. kAxes[l], k), psi = psi}}
      own:advance(s[name], terms)
      own:damp(s[name], terms)
    end
  end
end

-- Returns the grid of a request with its equations, and the fields by their names; state: what they begin with, or nil.
function elastic_iso.grid(request, state)
  local own = staggered.new(request, state)
  local model, uniform = own.medium, {along = own.medium.along}
  local g, dt = own.g, request.dt
  local v, s = add_fields(own)
  local along = g:parameter("along", function(...) return dt * model.density(...) * model.velocity(...) ^ 2 end, uniform)
  local across = g:parameter("across", function(...)
    return dt * (model.density(...) * model.velocity(...) ^ 2 - 2 * model.rigidity(...))
  end, uniform)
  advance_velocities(own, v, s, model)
  advance_normal(own, v, s, along, across)
  advance_shear(own, v, s, model)
  if request.surface == "free" then
    local top = g:surface("z", "low")
    for _, name in ipairs{"sxx", "syy"} do
      g:update{s[name], s[name].next - across / along * s.szz.next, where = top}
    end
    g:update{s.szz, 0 * s.szz.next, where = top}
  end
  return g, own.fields
end

elastic_iso.sources = {"pressure", "force_x", "force_y", "force_z", "moment"}

return elastic_iso
