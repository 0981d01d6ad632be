-- Acoustic waves of first order in a transversely isotropic medium with a tilted axis n, on the Lebedev grid (lebedev.lua): the elastic
-- ones with no resistance to shear (Duveneck and Bakker 2011). Two stresses are left, sh across the axis and sv along it. A
-- velocity has a part w across the axis and a part u along it, of which div(w) and div(u) are the strains:
--     rho dw/dt = (1 - n n^T) grad(sh)      dsh/dt = rho vp^2 ((1 + 2 epsilon) div(w) + sqrt(1 + 2 delta) div(u))
--     rho du/dt = n n^T grad(sv)            dsv/dt = rho vp^2 (sqrt(1 + 2 delta) div(w) + div(u))
-- w stays across n and u along it, so that no energy is made where the axis turns. epsilon >= delta keeps the energy above 0; in layers
-- delta is epsilon, since the slow waves of a medium with less would grow there. Velocities are those half a step earlier. On a free
-- surface sh and sv are 0.
local lebedev = require "stencil.modelling.lebedev"
local staggered = require "stencil.modelling.staggered"
local tilted = require "stencil.modelling.tilted"

local kAxes = lebedev.axes
local kFields = {{"sh", lebedev.stresses, ""}, {"sv", lebedev.stresses, ""}}
for _, part in ipairs{"w", "u"} do
  for _, axis in ipairs(kAxes) do kFields[#kFields + 1] = {part .. axis, lebedev.velocities, axis} end
end

local acoustic_tti = {fields = lebedev.names(kFields), media = tilted.acoustic_media,
                      sources = {"pressure", "force_x", "force_y", "force_z"}}

-- Returns whether a cell lies in a layer.
local function is_in_layers(request, ...)
  for k, axis in ipairs(kAxes) do
    local at = select(k, ...)
    if at < request.layers[2 * k - 1] or at >= request["n" .. axis] - request.layers[2 * k] then return true end
  end
  return false
end

local function add_parameters(own)
  local model, dt, along = own.medium, own.request.dt, {along = own.medium.along}
  local function bulk(...) return dt * model.density(...) * model.velocity(...) ^ 2 end
  local function add(name, value) return own.g:parameter(name, value, along) end
  local layers, has_layers = own.request.layers, false
  for k = 1, #layers do has_layers = has_layers or layers[k] > 0 end
  local function both(...)
    local ratio = is_in_layers(own.request, ...) and model.epsilon(...) or model.delta(...)
    return bulk(...) * math.sqrt(1 + 2 * ratio)
  end
  local parameters = {
    axis = {}, across = add("across", function(...) return bulk(...) * (1 + 2 * model.epsilon(...)) end),
    both = own.g:parameter("both", both, {along = has_layers and "xyz" or own.medium.along}), along = add("along", bulk),
    buoyancy = add("buoyancy", function(...) return dt / model.density(...) end),
  }
  for k, axis in ipairs(kAxes) do parameters.axis[k] = add("n" .. axis, function(...) return model.axis(...)[k] end) end
  return parameters
end

-- The velocities at a position: slopes of sh and sv times the axis, and what is left of those of sh.
local function advance_velocities(own, fields, parameters, position)
  local slopes, psis, along, along_psi = {sh = {}, sv = {}}, {}, {}, {}
  for _, name in ipairs{"sh", "sv"} do
    for k = 1, 3 do
      local slope, psi = lebedev.slope(own, fields[name], position, k)
      slopes[name][k] = slope
      psis[name] = psi or psis[name]
      local term = parameters.axis[k] * slope
      along[name] = along[name] and along[name] + term or term
    end
    along_psi[name] = psis[name] and parameters.axis[3] * psis[name].next
  end
  for k, axis in ipairs(kAxes) do
    local by, damped = parameters.buoyancy * parameters.axis[k], own:damped()
    local w, u = fields["w" .. axis][position].field, fields["u" .. axis][position].field
    own.g:update{w, w + parameters.buoyancy * slopes.sh[k] - by * along.sh}
    own.g:update{u, u + by * along.sv}
    if along_psi.sh then
      local sum = w.next - by * along_psi.sh
      if k == 3 then sum = sum + parameters.buoyancy * psis.sh.next end
      own.g:update{w, sum, where = damped}
      own.g:update{u, u.next + by * along_psi.sv, where = damped}
    end
  end
end

local function advance_stresses(own, fields, parameters, position)
  local strains = {}
  for number, part in ipairs{"w", "u"} do
    local sum, psi
    for k, axis in ipairs(kAxes) do
      local slope
      slope, psi = lebedev.slope(own, fields[part .. axis], position, k, "next")
      sum = sum and sum + slope or slope
    end
    strains[number] = {slope = sum, psi = psi}
  end
  local scales = {sh = {parameters.across, parameters.both}, sv = {parameters.both, parameters.along}}
  for _, name in ipairs{"sh", "sv"} do
    local field, terms = fields[name][position].field, {}
    for k = 1, 2 do terms[k] = {scale = scales[name][k], slope = strains[k].slope, psi = strains[k].psi} end
    own:advance(field, terms)
    own:damp(field, terms)
    if own.request.surface == "free" and not position:find("z", 1, true) then
      own.g:update{field, 0 * field.next, where = own.g:surface("z", "low")}
    end
  end
end

-- Returns the grid of a request with its equations, and the fields by their names; state: what they begin with, or nil.
function acoustic_tti.grid(request, state)
  local own = staggered.new(request, state)
  local fields, parameters = {}, add_parameters(own)
  for _, field in ipairs(kFields) do
    local name, positions, at = table.unpack(field)
    fields[name] = lebedev.add_field(own, name, positions, at, name:sub(1, 1) == "s" and "odd" or "even")
  end
  for _, position in ipairs(lebedev.velocities) do advance_velocities(own, fields, parameters, position) end
  for _, position in ipairs(lebedev.stresses) do advance_stresses(own, fields, parameters, position) end
  return own.g, own.fields
end

-- Returns what a shot at a cell adds to fields, on all four parts of each: {field name = factor of the source's values}. A force has
-- a part along the axis of the cell and one across it.
function acoustic_tti.source(request, cell)
  local factors = {}
  if request.source == "pressure" then
    for _, name in ipairs{"sh", "sv"} do factors[name] = {1.0, lebedev.stresses, ""} end
    return lebedev.factors(factors)
  end
  local n, at = request.medium.axis(table.unpack(cell)), ("xyz"):find(request.source:sub(-1), 1, true)
  for k, axis in ipairs(kAxes) do
    factors["u" .. axis] = {n[k] * n[at], lebedev.velocities, axis}
    factors["w" .. axis] = {(k == at and 1.0 or 0.0) - n[k] * n[at], lebedev.velocities, axis}
  end
  return lebedev.factors(factors)
end

return acoustic_tti
