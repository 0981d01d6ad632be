-- The elastic wave equation of first order in a transversely isotropic medium with a tilted axis, on the Lebedev grid (lebedev.lua):
--     rho dv/dt = div(s)        ds/dt = C e,   e = (dvx/dx, dvy/dy, dvz/dz, dvy/dz + dvz/dy, dvx/dz + dvz/dx, dvx/dy + dvy/dx)
-- with the 21 stiffnesses C of tilted.lua. Velocities are those half a step earlier.
--
-- At a free surface, the plane z = 0, szz, sxz and syz are 0 there and odd about it, velocities are even. The slopes along z of the
-- velocities follow there from that: what the three stresses would become is taken from sxx, syy and sxy (tilted.surface).
local lebedev = require "stencil.modelling.lebedev"
local staggered = require "stencil.modelling.staggered"
local tilted = require "stencil.modelling.tilted"

local kAxes, kStresses = lebedev.axes, tilted.stresses
local kFields = {{"vz", lebedev.velocities, "z"}, {"vx", lebedev.velocities, "x"}, {"vy", lebedev.velocities, "y"}}
for _, name in ipairs(kStresses) do
  local k, l = name:sub(2, 2), name:sub(3, 3)
  kFields[#kFields + 1] = {name, lebedev.stresses, k == l and "" or tilted.positions[name]}
end

local elastic_tti = {fields = lebedev.names(kFields), media = tilted.elastic_media,
                     sources = {"pressure", "force_x", "force_y", "force_z", "moment"}}

local function add_fields(own)
  local fields = {}
  for _, field in ipairs(kFields) do
    local name, positions, at = table.unpack(field)
    local is_velocity = name:sub(1, 1) == "v"
    local surface = is_velocity and "even" or name:find("z", 1, true) and "odd" or nil
    fields[name] = lebedev.add_field(own, name, positions, at, surface)
  end
  return fields
end

local function advance_velocities(own, fields, buoyancy)
  for _, position in ipairs(lebedev.velocities) do
    for k, axis in ipairs(kAxes) do
      local sum, psi
      for l = 1, 3 do
        local slope
        slope, psi = lebedev.slope(own, fields[tilted.stress(k, l)], position, l)
        sum = sum and sum + slope or slope
      end
      local terms = {{scale = buoyancy, slope = sum, psi = psi}}
      own:advance(fields["v" .. axis][position].field, terms)
      own:damp(fields["v" .. axis][position].field, terms)
    end
  end
end

-- Returns the strains at a position, {slope =, psi = what the layers along z add, or nil}.
local function strains_at(own, fields, position)
  local strains = {}
  for number, name in ipairs(kStresses) do
    local k, l = tilted.axes_of(name)
    local slope, psi = lebedev.slope(own, fields["v" .. kAxes[k]], position, l, "next")
    if k ~= l then
      local other, other_psi = lebedev.slope(own, fields["v" .. kAxes[l]], position, k, "next")
      slope, psi = slope + other, psi or other_psi
    end
    strains[number] = {slope = slope, psi = psi}
  end
  return strains
end

local function advance_stresses(own, fields, stiffness)
  for _, position in ipairs(lebedev.stresses) do
    local strains = strains_at(own, fields, position)
    for i, name in ipairs(kStresses) do
      local terms = {}
      for j, strain in ipairs(strains) do terms[j] = {scale = stiffness(i, j), slope = strain.slope, psi = strain.psi} end
      own:advance(fields[name][position].field, terms)
      own:damp(fields[name][position].field, terms)
    end
  end
end

-- The free surface, of the stresses that lie on it.
local function free(own, fields)
  local g, top = own.g, own.g:surface("z", "low")
  local across = {"szz", "syz", "sxz"}
  for _, position in ipairs{"", "xy"} do
    for _, name in ipairs{"sxx", "syy", "sxy"} do
      local field = fields[name][position].field
      local sum = field.next
      for _, other in ipairs(across) do
        sum = sum - tilted.surface(own, name, other) * fields[other][position].field.next
      end
      g:update{field, sum, where = top}
    end
    for _, other in ipairs(across) do
      local field = fields[other][position].field
      g:update{field, 0 * field.next, where = top}
    end
  end
end

-- Returns the grid of a request with its equations, and the fields by their names; state: what they begin with, or nil.
function elastic_tti.grid(request, state)
  local own = staggered.new(request, state)
  local model, dt = own.medium, request.dt
  local fields = add_fields(own)
  local buoyancy = own.g:parameter("buoyancy", function(...) return dt / model.density(...) end, {along = model.along})
  advance_velocities(own, fields, buoyancy)
  advance_stresses(own, fields, function(i, j) return tilted.stiffness(own, i, j) end)
  if request.surface == "free" then free(own, fields) end
  return own.g, own.fields
end

-- Returns what a shot of a kind adds to fields, on all four parts of each: {field name = factor of the source's values}.
function elastic_tti.source(request)
  local factors = {}
  for name, factor in pairs(tilted.shot(request)) do
    for _, field in ipairs(kFields) do
      if field[1] == name then factors[name] = {factor, field[2], field[3]} end
    end
  end
  return lebedev.factors(factors)
end

return elastic_tti
