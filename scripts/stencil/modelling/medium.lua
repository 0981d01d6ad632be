-- The medium of a request: velocity, shear velocity and density of each cell, from numbers or files, checked. Must not know how waves
-- are computed.
local host = require "wse.host"
local stencil = require "stencil"
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

-- Refuses the first cell at which wanted(value, x, y, z) gives a text.
local function check_cells(request, name, value, wanted)
  if type(request[name]) == "number" and type(request.velocity) == "number" then
    request = {nx = 1, ny = 1, nz = 1}
  end
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

-- Returns {velocity, density, shear, rigidity = density * shear^2}, functions of (x, y, z) in m/s, kg/m^3 and Pa, and `along`, the axes along
-- which they change. They are checked once for a request.
function medium.of(request)
  if request.medium then return request.medium end
  local velocity, density = reader(request, "velocity"), reader(request, "density")
  check_cells(request, "velocity", velocity, function(v)
    return not (v > 0 and v <= request.vmax) and format("above 0 to vmax = %g m/s", request.vmax)  -- NaN is neither
  end)
  check_cells(request, "density", density, function(v) return not (v > 0 and v < math.huge) and "above 0 kg/m^3" end)
  local made = {velocity = velocity, density = density}
  if request.propagator == "elastic_iso" then
    made.shear = reader(request, "shear")
    check_cells(request, "shear", made.shear, function(v, x, y, z)
      local most = kMostShear * velocity(x, y, z)
      return not (v >= 0 and v < most) and format("0 to below %g m/s, 0.866 of the velocity,", most)
    end)
    made.rigidity = function(x, y, z) return density(x, y, z) * made.shear(x, y, z) ^ 2 end
  end
  local is_one = type(request.velocity) == "number" and type(request.density) == "number"
                 and (request.propagator ~= "elastic_iso" or type(request.shear) == "number")
  made.along = is_one and "" or "xyz"
  request.medium = made
  return made
end

return medium
