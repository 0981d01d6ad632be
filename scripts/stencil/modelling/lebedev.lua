-- The Lebedev grid: four Yee grids, each half a cell off the others along two axes, such that all components of a velocity lie at one
-- point, and all components of a stress. A tilted medium needs them there: it couples each derivative with each component.
--
--     velocities   x+1/2    y+1/2    z+1/2    all three          stresses   on the cells   xy    xz    yz
--
-- A field has four parts. The part that the Yee grid has is called by the name alone, vx or sxy, the others by their place too: vx_y,
-- sxy_0 (on the cells). All parts of a cell have the medium of the cell. Must not know the compiler.
local lebedev = {}

lebedev.axes = {"x", "y", "z"}
lebedev.velocities = {"x", "y", "z", "xyz"}
lebedev.stresses = {"", "xy", "xz", "yz"}

-- Returns the name of the part at a position of a field, of which the part at `own` is called by the name alone.
function lebedev.name(field, position, own)
  if position == own then return field end
  return field .. "_" .. (position == "" and "0" or position)
end

-- Returns the position half a cell along an axis from another one.
function lebedev.beside(position, axis)
  if position:find(axis, 1, true) then return (position:gsub(axis, "")) end
  local list = {}
  for _, letter in ipairs(lebedev.axes) do
    if letter == axis or position:find(letter, 1, true) then list[#list + 1] = letter end
  end
  return table.concat(list)
end

-- Adds the four parts of a field to the equations. surface: "odd" or "even" about a free surface, or nil. Returns {[position] =
-- {field =, name =}}.
function lebedev.add_field(own, field, positions, own_position, surface)
  local parts = {}
  for _, position in ipairs(positions) do
    local name = lebedev.name(field, position, own_position)
    parts[position] = {name = name, field = own:field(name, position, surface)}
  end
  return parts
end

-- Returns the derivative along axis k at a position of a field that lies half a cell from there, and the field psi of the layers along z,
-- as Grid:slope of staggered.lua does. level: "next" for the values that the step has set.
function lebedev.slope(own, parts, position, k, level)
  local part = parts[lebedev.beside(position, lebedev.axes[k])]
  return own:slope(level and part.field[level] or part.field, part.name, k)
end

-- Returns the names of the parts of fields, the first parts first. fields: a list of {name, positions, own position}.
function lebedev.names(fields)
  local first, others = {}, {}
  for _, field in ipairs(fields) do
    local name, positions, own = table.unpack(field)
    first[#first + 1] = name
    for _, position in ipairs(positions) do
      if position ~= own then others[#others + 1] = lebedev.name(name, position, own) end
    end
  end
  return table.move(others, 1, #others, #first + 1, first)
end

-- Returns {[name of a part] = factor} for all parts of fields that a shot adds to: factors = {[field] = {factor, positions, own}}.
function lebedev.factors(fields)
  local factors = {}
  for field, own in pairs(fields) do
    if own[1] ~= 0 then
      for _, position in ipairs(own[2]) do factors[lebedev.name(field, position, own[3])] = own[1] end
    end
  end
  return factors
end

return lebedev
