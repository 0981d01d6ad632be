-- Random equations of small numbers: most of what they compute is exact, so that those runs must equal the
-- plain evaluation to the last bit, and the others nearly. Must draw the same for the same seed on every
-- host.
local equations = require "support.equations"
local stencil = require "stencil"

local random_equations = {}

local Draw = {}
Draw.__index = Draw

-- Returns a number from low to high: a linear congruential generator (Knuth's MMIX).
function Draw:number(low, high)
  self.state = self.state * 6364136223846793005 + 1442695040888963407
  return low + (self.state >> 33) % (high - low + 1)
end

function Draw:one_of(list) return list[self:number(1, #list)] end

local kRounded = 1e-6  -- of the largest value, where numbers need more than the 24 bits of a float

local function coefficient(draw) return draw:one_of{1, -1, 2, -2, 1, -1, 3, -0.5} end

-- A field at a level and an offset that the grid and its tiles allow.
local function access(draw, g, fields, updated)
  local k = draw:number(1, #fields)
  local node = fields[k]
  local level = draw:number(1, 6)
  if level == 1 and updated[k] then
    node = node.next
  elseif level == 2 then
    node = node.before
  end
  if draw:number(1, 3) == 1 then return node end
  local far = g.dims == 3 and 3 or 2
  local offset = {0, 0, 0}
  for _ = 1, draw:number(1, 2) do offset[draw:number(1, g.dims)] = draw:number(-far, far) end
  return node:at(offset[1], offset[2], offset[3])
end

-- A sum of terms; products of two sums where `depth` allows, so that values stay small.
local function sum(draw, g, fields, parameters, updated, depth)
  local node
  for _ = 1, draw:number(1, depth > 0 and 5 or 3) do
    local term = access(draw, g, fields, updated)
    local kind = draw:number(1, 6)
    if kind == 1 and #parameters > 0 then
      term = draw:one_of(parameters) * term
    elseif kind == 2 and depth > 0 then
      local factor = #parameters > 0 and draw:one_of(parameters) or coefficient(draw)
      term = factor * sum(draw, g, fields, parameters, updated, depth - 1)
    elseif kind == 3 and depth > 1 then
      term = term * sum(draw, g, fields, parameters, updated, 0)
    elseif kind == 4 and #parameters > 0 then
      term = draw:one_of(parameters) + 1
    end
    term = coefficient(draw) * term
    node = node and node + term or term
  end
  return node
end

local function region(draw, g, sizes)
  if draw:number(1, 3) > 1 then return nil end
  local ranges = {}
  for k, axis in ipairs{"x", "y", "z"} do
    if sizes[k] and draw:number(1, 2) == 1 then
      local first = draw:number(0, sizes[k] - 1)
      ranges[axis] = {first, draw:number(first, sizes[k] - 1)}
    end
  end
  return g:box(ranges)
end

-- Adds updates that change what others of the step have set.
local function add_changes(draw, g, fields, parameters, updated, sizes)
  for _ = 1, draw:number(1, 3) do
    local field = draw:one_of(fields)
    g:update{field, draw:one_of{1, -1, 2, 0} * field.next + sum(draw, g, fields, parameters, {}, 1), where = region(draw, g, sizes)}
  end
end

local kMirrors = {"x", "y", "z", "xy", "xz", "yz", "xyz"}

-- Returns a grid with equations, and the options of a run. with_mirror: the grid is one in space, with mirrors; with_surface: it is
-- one in space, with fields that continue beyond z = 0, half a cell below it or on it, and with updates of what others have set.
function random_equations.make(seed, with_mirror, with_surface)
  local draw = setmetatable({state = seed * 7919 + 12345}, Draw)
  local sizes = {draw:number(1, 9), draw:number(1, 8)}
  local in_space = draw:number(1, 2) == 1 or with_mirror or with_surface
  if in_space then sizes[3] = draw:number(1, 9) end
  local g = stencil.grid{nx = sizes[1], ny = sizes[2], nz = sizes[3],
                         tile = not in_space and {draw:number(2, 5), draw:number(2, 5)} or nil,
                         mirror = with_mirror and draw:one_of(kMirrors) or nil}
  local fields, parameters, updated = {}, {}, {}
  local at = with_surface and draw:one_of{"", "z"} or ""
  for k = 1, draw:number(1, 3) do
    fields[k] = g:field("f" .. k, {initial = equations.chance(seed + k), before = equations.chance(seed + 10 * k), at = at,
                                   surface = with_surface and draw:one_of{"odd", "even"} or nil})
  end
  for k = 1, draw:number(0, 2) do
    local value = equations.chance(seed + 100 * k)
    local of_pe = draw:number(1, 2) == 1
    parameters[k] = g:parameter("w" .. k, function(x, y, z) return value(x, y, of_pe and 0 or z) end)
  end
  for k, field in ipairs(fields) do
    g:update{field, sum(draw, g, fields, parameters, updated, 2), where = region(draw, g, sizes)}
    updated[k] = true
  end
  if with_surface then add_changes(draw, g, fields, parameters, updated, sizes) end
  local options = {steps = draw:number(1, 2), check = true, machine = draw:one_of{"wse2", "wse3", "model"}}
  if in_space and sizes[3] > 2 and draw:number(1, 3) == 1 then options.block = 2 * draw:number(1, (sizes[3] - 1) // 2) end
  options.compact = draw:number(1, 3) == 1 or nil
  return g, options
end

-- Runs the equations of these seeds. Returns how many ran, and how many of them were exact; some do not
-- fit their tiles, or their code a PE.
function random_equations.run(first, last, with_mirror, with_surface)
  local ran, exact = 0, 0
  for seed = first, last do
    local g, options = random_equations.make(seed, with_mirror, with_surface)
    local fine, result = pcall(g.run, g, options)
    if fine then
      assert(result.max_rel_error <= kRounded, ("seed %d is off by %g on %s:\n%s"):format(seed, result.max_rel_error,
                                                                                 options.machine, g:text()))
      ran, exact = ran + 1, exact + (result.max_rel_error == 0 and 1 or 0)
    else
      local known = result:find("tile of", 1, true) or result:find("colours at a PE", 1, true)
                    or result:find("the program needs", 1, true)
      assert(known, ("seed %d: %s\n%s"):format(seed, result, g:text()))
    end
  end
  return ran, exact
end

return random_equations
