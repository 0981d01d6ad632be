-- Absorbing layers that stretch the coordinates, each axis by itself: the convolutional perfectly matched layer
-- (Komatitsch and Martin 2007, for the equation of second order in time Pasalic and McGarry 2010). Along axis k
-- d/dk becomes (1 / s) d/dk with s = 1 + damping / (shift + i omega):
--     psi.next  = b psi + a dp/dk               so that dp/dk + psi.next is the stretched first derivative
--     h         = d2p/dk2 + d(psi.next)/dk      its derivative, and
--     zeta.next = b zeta + a h                  h + zeta.next is the stretched second one
--     p.next    = 2 p - p.before + (v dt)^2 sum over axes of (h + zeta.next)
-- with b = exp(-(damping + shift) dt), a = damping / (damping + shift) (b - 1), both 0 inside of the model. It absorbs
-- waves that come at a slant, for which Minimod's layers, which damp all axes alike, are not matched.
local stencil = require "stencil"
local d = stencil.d

local cpml = {}

local kOrder = 8             -- of all derivatives
local kExponent = 3          -- of the damping over the depth in the layer
local kReflection = 1e5      -- of a wave that crosses the layer and comes back, the inverse
local kSourceShare = 0.6     -- of fmax: where the source has most of its energy

-- Returns functions of the coordinate that give a and b, for an axis with layers of that many cells at its low and its
-- high end. spacing in m, vmax in m/s, dt in s, fmax in Hz.
function cpml.profiles(size, low, high, spacing, vmax, dt, fmax)
  local most_shift = math.pi * kSourceShare * fmax
  local function decay(depth, cells)  -- depth: 0 to 1
    local damping = (kExponent + 1) * vmax * math.log(kReflection) / (2 * cells * spacing) * depth ^ kExponent
    local shift = most_shift * (1 - depth)
    local b = math.exp(-(damping + shift) * dt)
    return damping / (damping + shift) * (b - 1), b
  end
  local function both(at)
    local in_low, in_high = low > 0 and (low - 1 - at) / low or 0.0, high > 0 and (at - (size - high)) / high or 0.0
    if math.max(in_low, in_high) <= 0 then return 0.0, 0.0 end
    if in_low >= in_high then return decay(in_low, low) end
    return decay(in_high, high)
  end
  return function(at) return (both(at)) end, function(at) return (select(2, both(at))) end
end

-- Adds the equations of a model with layers to a grid, whose first cell is `first` of the model. scale: (v dt)^2, v a
-- number or a parameter; state: as of acoustic.grid. Returns the fields by their names.
function cpml.add(request, g, p, state, scale, first)
  local fields, sum = {p = p}, nil
  local sizes = {request.nx, request.ny, request.nz}
  for k, axis in ipairs{"x", "y", "z"} do
    local h = d(p, axis .. axis, {order = kOrder})
    local low, high = request.layers[2 * k - 1], request.layers[2 * k]
    if low + high > 0 then
      local a_at, b_at = cpml.profiles(sizes[k], low, high, request.spacing[k], request.vmax, request.dt, request.fmax)
      local a = g:parameter("a" .. axis, function(...) return a_at(select(k, ...) + first[k]) end)
      local b = g:parameter("b" .. axis, function(...) return b_at(select(k, ...) + first[k]) end)
      local psi, zeta = g:field("psi" .. axis, state["psi" .. axis]), g:field("zeta" .. axis, state["zeta" .. axis])
      fields["psi" .. axis], fields["zeta" .. axis] = psi, zeta
      g:update{psi, b * psi + a * d(p, axis, {order = kOrder})}
      h = h + d(psi.next, axis, {order = kOrder})
      g:update{zeta, b * zeta + a * h}
      h = (1 + a) * h + b * zeta  -- h + zeta.next, which would be an exchange of its own
    end
    sum = sum and sum + h or h
  end
  g:update{p, 2 * p - p.before + scale * sum}
  return fields
end

return cpml
