-- The acoustic wave equation of first order with a density for each cell, on the Yee grid: pressure on the cells, velocities of
-- particles between them,
--     dv/dt = grad(p) / rho        dp/dt = rho vp^2 div(v)
-- with the sign of Minimod's paper, in which p is the mean stress. Velocities are those half a step earlier.
local staggered = require "stencil.modelling.staggered"

local acoustic_iso = {fields = {"p", "vx", "vy", "vz"}, media = {"density"}}

-- Returns the grid of a request with its equations, and the fields by their names; state: what they begin with, or nil.
function acoustic_iso.grid(request, state)
  local own = staggered.new(request, state)
  local model, uniform = own.medium, {along = own.medium.along}
  local g, dt = own.g, request.dt
  local p = own:field("p", "", "odd")
  local v = {own:field("vx", "x"), own:field("vy", "y"), own:field("vz", "z", "even")}
  local stiffness = g:parameter("stiffness", function(...) return dt * model.density(...) * model.velocity(...) ^ 2 end, uniform)
  for k, axis in ipairs{"x", "y", "z"} do
    local slope, psi = own:slope(p, "p", k)
    local terms = {{scale = own:buoyancy("buoyancy_" .. axis, model.density, axis, dt), slope = slope, psi = psi}}
    own:advance(v[k], terms)
    own:damp(v[k], terms)
  end
  local sum, terms
  for k, axis in ipairs{"x", "y", "z"} do
    local slope, psi = own:slope(v[k].next, "v" .. axis, k)
    sum = sum and sum + slope or slope
    terms = {{scale = stiffness, slope = sum, psi = psi}}
  end
  own:advance(p, terms)
  own:damp(p, terms)
  if request.surface == "free" then g:update{p, 0 * p.next, where = g:surface("z", "low")} end
  return g, own.fields
end

-- Returns what a shot of a kind adds to fields: {field name = factor of the source's values}.
function acoustic_iso.source(request)
  if request.source == "pressure" then return {p = 1.0} end
  return {["v" .. request.source:sub(-1)] = 1.0}
end

acoustic_iso.sources = {"pressure", "force_x", "force_y", "force_z"}

return acoustic_iso
