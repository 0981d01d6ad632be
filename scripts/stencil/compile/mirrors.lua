-- Mirrors at the low ends of axes: f(-i) = f(i). Along z the margin before a column holds its first cells in turned
-- order, with the other sign for a field that is odd about the surface. Along x and y the column that PE `at` would hear from at - d < 0 is that of PE d - at, which it hears from the
-- offset d - 2 at, or has itself:
--     at = 1, d = 4:    -3 .  .  .  |1|  .  3       its image is the column from offset +2
--                        '-- mirror 0 --------'
-- Where words are multiplied as they arrive, the PE adds both coefficients; where columns are kept, it copies one.
local normal = require "stencil.compile.normal"
local regions = require "stencil.lang.regions"

local mirrors = {}

local kAxes = {"x", "y"}

-- Returns the axis along which a column arrives, 1 or 2, and its offset there.
local function way_of(column)
  if column.dy ~= 0 then return 2, column.dy end
  return 1, column.dx
end

-- Returns the last coordinate of the PEs at which a column comes from beyond the mirror, -1 if there is none.
local function last_image(grid, axis, offset)
  return grid.mirror[kAxes[axis]] and math.min(-offset, grid.sizes[axis]) - 1 or -1
end

-- Adds to `columns` those of which others are images, and notes in column.sources by the coordinate of a PE: a column,
-- or "own". column_of and key_of: those of travel.lua.
function mirrors.complete(grid, columns, column_of, key_of)
  local k = 1
  while columns[k] do
    local column = columns[k]
    local axis, offset = way_of(column)
    column.sources = {}
    for at = 0, last_image(grid, axis, offset) do
      local place, source = -offset - at, -offset - 2 * at
      if place < grid.sizes[axis] and source ~= 0 then
        local dx, dy = axis == 1 and source or column.dx, axis == 2 and source or 0
        column.sources[at] = column_of(columns, column, dx, dy)
      elseif place < grid.sizes[axis] then
        column.sources[at] = axis == 2 and column.dx ~= 0 and columns[key_of(column, column.dx, 0)] or "own"
      end
    end
    k = k + 1
  end
end

-- Keeps columns whose images are kept, or belong to another sum than they do.
function mirrors.keep(columns)
  local changed = true
  while changed do
    changed = false
    for _, column in ipairs(columns) do
      for _, source in pairs(column.sources) do
        if source ~= "own" and not source.kept and (column.kept or source.adds[1].sum ~= column.adds[1].sum) then
          source.kept, changed = true, true
        end
      end
    end
  end
end

-- Returns the cells of the PEs at one coordinate of an axis.
local function box_at(grid, axis, at)
  local box = regions.whole(grid)
  box[kAxes[axis]] = {at, at}
  return box
end

local function copy(grid, axis, at, column, from)
  return {"fmovs", {region = column.region, delta = 0}, {region = from, delta = 0}, box = box_at(grid, axis, at),
          margin = column.reach, cause = "mirror"}
end

-- Adds the image that a column has at a PE; from: the region where it lies, nil if it is added as it arrives.
local function add_image(images, grid, column, at, source, from)
  local axis = way_of(column)
  if column.kept then
    local list = axis == 1 and images.within or images.behind
    list[#list + 1] = copy(grid, axis, at, column, from)
  elseif from then
    images.sums[#images.sums + 1] = {sum = column.adds[1].sum, operand = {region = from, delta = 0},
                                     coef = column.adds[1].coef, box = box_at(grid, axis, at)}
  else
    source.images = source.images or {}
    source.images[at] = (source.images[at] or 0.0) + column.adds[1].coef
  end
end

-- Returns the instructions that make images: `within` between the moves along x and y of an exchange, `behind` it, and
-- {sum, operand, coef, box} in `sums`, terms of sums. What is added as it arrives is noted in column.images, coefficients
-- by the coordinate of a PE. Columns that are kept must have their region.
function mirrors.add(grid, columns, region)
  local images = {within = {}, behind = {}, sums = {}}
  for _, column in ipairs(columns) do
    local axis, offset = way_of(column)
    for at = 0, last_image(grid, axis, offset) do
      local source = column.sources[at]
      if source then add_image(images, grid, column, at, source, source == "own" and region(column) or source.region) end
    end
  end
  return images
end

-- Returns the sign with which a field continues beyond z = 0: that of its image there, 1 in a mirror, nil where it is 0.
function mirrors.sign_along_z(grid, field) return field.image or grid.mirror.z and 1 or nil end

-- Adds the instructions that set the margins before columns, of which a group reads cells: to the cells behind the first one, for
-- fields that lie on halves of cells to those from the first one on. region(access): where a level of a field lies.
function mirrors.add_margins(grid, group, ops, region)
  local order, widths, fields = {}, {}, {}
  for _, update in ipairs(group) do
    normal.each_access(update.linear, function(access)
      local own, cells = region(access), -access.offset[3]
      if cells <= 0 or not mirrors.sign_along_z(grid, access.field) then return end
      if not widths[own] then order[#order + 1] = own end
      widths[own], fields[own] = math.max(widths[own] or 0, cells), access.field
    end)
  end
  for _, own in ipairs(order) do
    local box, field = regions.whole(grid), fields[own]
    box.z = {0, widths[own] - 1}
    ops[#ops + 1] = {mirrors.sign_along_z(grid, field) > 0 and "fmovs" or "fnegs", {region = own, delta = -widths[own]},
                     {region = own, delta = field.position:find("z", 1, true) and 0 or 1}, box = box, is_margin = true,
                     cause = "mirror"}
  end
end

return mirrors
