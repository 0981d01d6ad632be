-- The linear system of a steady flow, -div(k grad u) + shift u = b on cells, in seven points with coefficients of each cell; u is 0
-- beyond the grid. Between two cells k is the harmonic mean of both. It is scaled on both sides to a diagonal of 1, and stays symmetric:
--     A' = D^(-1/2) A D^(-1/2)        A' v = D^(-1/2) b        u = D^(-1/2) v
-- In mixed precision all vectors and coefficients are f16, and b is multiplied by a power of 2 such that residuals keep their digits while
-- they become small. Must not know how it is solved.
local stencil = require "stencil"

local system = {}

local kAxes = {"x", "y", "z"}

-- Returns a list of value(x, y, z), z fastest, then x, and the strides of x, y and z in it.
local function listed(sizes, value)
  local list, at = {}, 0
  for y = 0, sizes[2] - 1 do
    for x = 0, sizes[1] - 1 do
      for z = 0, sizes[3] - 1 do
        at = at + 1
        list[at] = value(x, y, z)
      end
    end
  end
  return list, {sizes[3], sizes[1] * sizes[3], 1}
end

-- Returns what is between a cell with k and its neighbour: at a border the cell's own k.
local function between(own, other) return other and 2 * own * other / (own + other) or own end

-- Returns functions of a cell: D^(-1/2), and for each side its {axis, by, value(x, y, z)} of A' with the sign turned. k: a list of cells.
local function coefficients(sizes, k, strides, shift)
  local function at(x, y, z) return 1 + x * strides[1] + y * strides[2] + z * strides[3] end
  local function neighbour(axis, by, x, y, z)  -- nil beyond the grid
    local place = (axis == 1 and x or axis == 2 and y or z) + by
    return place >= 0 and place < sizes[axis] and at(x, y, z) + by * strides[axis] or nil
  end
  local scale = listed(sizes, function(x, y, z)
    local own, sum = k[at(x, y, z)], shift
    for axis = 1, 3 do
      for by = -1, sizes[axis] > 1 and 1 or -2, 2 do sum = sum + between(own, k[neighbour(axis, by, x, y, z)]) end
    end
    return sum ^ -0.5
  end)
  local sides = {}
  for axis = 1, 3 do
    for _, by in ipairs(sizes[axis] > 1 and {1, -1} or {}) do
      sides[#sides + 1] = {axis = axis, by = by, value = function(x, y, z)
        local here, there = at(x, y, z), neighbour(axis, by, x, y, z)
        return there and between(k[here], k[there]) * scale[here] * scale[there] or 0.0
      end}
    end
  end
  return function(x, y, z) return scale[at(x, y, z)] end, sides
end

local kLargestOfHalf = 128  -- what b may reach in f16, of 65504: BiCGStab's vectors grow to some hundred times as much

-- Returns the power of 2 that makes the largest value of a list at most kLargestOfHalf, and more than half of that.
local function power_for(list)
  local largest = 0.0
  for _, value in ipairs(list) do largest = math.max(largest, math.abs(value)) end
  return largest > 0 and 2.0 ^ math.floor(math.log(kLargestOfHalf / largest, 2)) or 1.0
end

-- Returns D^(-1/2) and the sides of the system of a request, which are computed once.
local function known(request, sizes)
  if not request.known then
    local k, strides = listed(sizes, request.k)
    request.known = {coefficients(sizes, k, strides, request.shift)}
  end
  return table.unpack(request.known)
end

-- Returns the system of a request in "f32" or "f16": {grid, is_half, power, b(x, y, z) scaled and times power, norm2 = the sum of its squares,
-- scale(x, y, z) = D^(-1/2), around(field) = the expression of field - A' field}. right: the right side of the scaled system in place
-- of b, or nil.
function system.of(request, type_name, right)
  local sizes = {request.nx, request.ny, request.nz}
  local self = {grid = stencil.grid{nx = sizes[1], ny = sizes[2], nz = sizes[3], type = type_name}, is_half = type_name == "f16", norm2 = 0.0, sides = {}}
  local scale, sides = known(request, sizes)
  right = right or function(...) return request.b(...) * scale(...) end
  self.scale, self.power = scale, type_name == "f16" and power_for((listed(sizes, right))) or 1.0
  function self.b(x, y, z) return right(x, y, z) * self.power end
  for k, side in ipairs(sides) do self.sides[k] = {axis = side.axis, by = side.by, value = side.value} end
  for _, side in ipairs(self.sides) do
    side.offset = {0, 0, 0}
    side.offset[side.axis] = side.by
    side.w = self.grid:parameter(("w_%s_%s"):format(kAxes[side.axis], side.by > 0 and "ahead" or "back"), side.value)
  end
  function self.around(field)
    local sum
    for _, side in ipairs(self.sides) do
      local term = side.w * field:at(table.unpack(side.offset))
      sum = sum and sum + term or term
    end
    return sum or 0 * field
  end
  for _, value in ipairs(listed(sizes, self.b)) do self.norm2 = self.norm2 + value ^ 2 end
  return self
end

-- Returns the norm of b - A' v over that of b, in double, for values v(x, y, z) of a system of f32.
function system.residual(self, v)
  local nx, ny, nz = self.grid:extents()
  local sum = 0.0
  for y = 0, ny - 1 do
    for x = 0, nx - 1 do
      for z = 0, nz - 1 do
        local value = self.b(x, y, z) - v(x, y, z)
        for _, side in ipairs(self.sides) do
          local w = side.value(x, y, z)
          if w ~= 0 then value = value + w * v(x + side.offset[1], y + side.offset[2], z + side.offset[3]) end
        end
        sum = sum + value ^ 2
      end
    end
  end
  return (sum / self.norm2) ^ 0.5
end

return system
