-- The medium of a request: velocities, density and what else it has in each cell, from numbers or files, checked. Must not know how waves
-- are computed.
local host = require "wse.host"
local stencil = require "stencil"
local tilted = require "stencil.modelling.tilted"
local format, tostring = string.format, tostring

local medium = {}

-- Returns a function of (x, y, z) that gives a number, or the values of a file; a file that does not fit is refused by its argument.
local function reader(request, name)
  local given = request[name]
  if type(given) == "number" then return function() return given end end
  if type(given) == "function" then return given end
  local g = stencil.grid{nx = request.nx, ny = request.ny, nz = request.nz}
  local fine, node = pcall(g.parameter, g, name, given)
  if not fine then host.raise(name .. ": " .. tostring(node):gsub("^.-the value: ", "")) end
  if node.kind == "number" then return function() return node.value end end
  return node.parameter.value
end

-- Whether all of a medium is numbers, the same in each cell.
local function is_one_medium(request)
  for _, name in ipairs(request.media) do
    if type(request[name]) ~= "number" then return false end
  end
  return type(request.velocity) == "number"
end

-- Refuses the first cell at which wanted(value, x, y, z) gives a text.
local function check_cells(request, name, value, wanted)
  if is_one_medium(request) then request = {nx = 1, ny = 1, nz = 1} end
  for y = 0, request.ny - 1 do
    for x = 0, request.nx - 1 do
      for z = 0, request.nz - 1 do
        local v = value(x, y, z)
        local text = wanted(v, x, y, z)
        if text then host.raise(format("%s: %g at cell %d,%d,%d; %s is wanted", name, v, x, y, z, text)) end
      end
    end
  end
end

local kMostShear = math.sqrt(3) / 2  -- of the velocity: with more the medium would not resist pressure

-- Returns a function of a cell with the last of its results kept: equations ask for 21 stiffnesses of one cell after the other.
local function with_memory(compute)
  local kept, lx, ly, lz
  return function(x, y, z)
    if x ~= lx or y ~= ly or z ~= lz then kept, lx, ly, lz = compute(x, y, z), x, y, z end
    return kept
  end
end

-- Adds the rigidity of an isotropic medium.
local function add_rigidity(request, made)
  check_cells(request, "shear", made.shear, function(v, x, y, z)
    local most = kMostShear * made.velocity(x, y, z)
    return not (v >= 0 and v < most) and format("0 to below %g m/s, 0.866 of the velocity,", most)
  end)
  made.rigidity = function(x, y, z) return made.density(x, y, z) * made.shear(x, y, z) ^ 2 end
end

-- Refuses a wave that is faster across the axis than the time step and the layers allow.
local function too_fast(request, speed)
  return not (speed <= request.vmax) and format("a medium whose waves are not faster than vmax = %g m/s, not %g,", request.vmax, speed)
end

-- Adds the axis of a tilted medium, and the stiffnesses of an elastic one.
local function add_axis(request, made)
  for _, name in ipairs{"theta", "phi"} do
    check_cells(request, name, made[name], function(v) return not (math.abs(v) <= 360) and "-360 to 360 degrees" end)
  end
  made.axis = with_memory(function(...) return tilted.axis(made.theta(...), made.phi(...)) end)
  check_cells(request, "delta", made.delta, function(v) return not (v > -0.5) and "above -0.5" end)
  if not made.shear then
    check_cells(request, "epsilon", made.epsilon, function(v, ...)
      if not (v >= made.delta(...) and v < math.huge) then return format("delta = %g or more, without which waves grow,", made.delta(...)) end
      return too_fast(request, made.velocity(...) * math.sqrt(1 + 2 * math.max(v, 0)))
    end)
    return
  end
  local function constants(...)
    return tilted.constants(made.density(...), made.velocity(...), made.shear(...), made.epsilon(...), made.delta(...), made.gamma(...))
  end
  local needs_shear = request.surface == "free" and request.propagator == "elastic_tti"  -- there three stresses are 0 by three slopes
  check_cells(request, "shear", made.shear, function(v, x, y, z)
    local most = made.velocity(x, y, z)
    if needs_shear and z == 0 and v == 0 then return "above 0 m/s on a free surface" end
    return not (v >= 0 and v < most) and format("0 to below the velocity, %g m/s,", most)
  end)
  check_cells(request, "gamma", made.gamma, function(v) return not (v >= -0.5 and v < math.huge) and "-0.5 or more" end)
  check_cells(request, "epsilon", made.epsilon, function(_, ...)
    local c11, c13, c33, c44, c66 = constants(...)
    if not (c11 > c66 and (c11 - c66) * c33 > c13 ^ 2) then return "a medium that resists each strain, with another epsilon, delta or gamma," end
    return too_fast(request, tilted.fastest(made.density(...), c11, c13, c33, c44))
  end)
  made.matrix = with_memory(function(...)
    local c11, c13, c33, c44, c66 = constants(...)
    return tilted.matrix(c11, c13, c33, c44, c66, made.axis(...))
  end)
end

-- Returns {velocity, density, shear, ...}, functions of (x, y, z) in m/s and kg/m^3, with the names of request.media; of elastic waves in
-- an isotropic medium `rigidity` = density * shear^2 in Pa; of a tilted medium `axis`, a unit vector, and of an elastic one `matrix`, six
-- rows of stiffnesses in Pa; and `along`, the axes along which they change. They are checked once for a request.
function medium.of(request)
  if request.medium then return request.medium end
  local made = {velocity = reader(request, "velocity"), along = is_one_medium(request) and "" or "xyz"}
  for _, name in ipairs(request.media) do made[name] = reader(request, name) end
  check_cells(request, "velocity", made.velocity, function(v)
    return not (v > 0 and v <= request.vmax) and format("above 0 to vmax = %g m/s", request.vmax)  -- NaN is neither
  end)
  check_cells(request, "density", made.density, function(v) return not (v > 0 and v < math.huge) and "above 0 kg/m^3" end)
  if made.theta then
    add_axis(request, made)
  elseif made.shear then
    add_rigidity(request, made)
  end
  request.medium = made
  return made
end

return medium
