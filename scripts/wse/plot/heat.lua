-- A heat map: a value for each PE of a grid; x to the right, y downwards, as on the wafer.
local host = require "wse.host"
local svg = require "wse.plot.svg"
local axis = require "wse.plot.axis"
local frame = require "wse.plot.frame"
local fields = require "wse.plot.fields"
local cells = require "wse.plot.cells"
local map = require "wse.plot.map"
local colour_scale = require "wse.plot.colour_scale"
local ipairs, pcall, format, abs = ipairs, pcall, string.format, math.abs
local type, tostring = type, tostring
local min, max, math_type = math.min, math.max, math.type

local kFields = {
  file = "string", title = "string", values = "table function", width = "integer",
  height = "integer", element = "integer", x0 = "integer", y0 = "integer", log = "boolean",
  range = "table", scale = "string table", ticks = "table", label = "string", x_label = "string", y_label = "string",
  numbers = "boolean", format = "string function", size = "number", x_ticks = "table",
  y_ticks = "table", regions = "function",
}
local kMissing = "#d9d9d9"

local function fail(text, ...) host.raise(format("wse.heat_map: " .. text, ...)) end

-- Whether the scale is one that there is, or a list of colours.
local function check_scale(what, scale)
  if type(scale) == "table" then
    if #scale < 2 then fail("scale has %d colours; at least 2 are wanted", #scale) end
    for k, colour in ipairs(scale) do fields.check_colour(format("%s: scale[%d]", what, k), colour) end
  elseif scale and not colour_scale.scales[scale] then
    fail("scale = '%s'; there are %s", scale, fields.sorted_names(colour_scale.scales))
  end
end

local function check(what, given)
  fields.check(what, given, kFields)
  fields.check_size(what, "size", given.size)
  if given.values == nil then
    fail("field 'values' is missing; an array of a record, rows of numbers, or a function(x, y)")
  end
  check_scale(what, given.scale)
  fields.check_range(what, "range", given.range, given.log)
  fields.check_ticks(what, "ticks", given.ticks)
end

-- The axis of the values: pixels of the colour bar are set later. No value is outside its range.
local function value_axis(given, grid)
  local found = {}
  for _, value in ipairs(grid) do
    if value and not (given.log and value <= 0) then found[#found + 1] = value end
  end
  if #found == 0 then
    fail("no value can be drawn: %s", given.log and "a log scale has only numbers above 0"
                                      or "none is a finite number")
  end
  local range = given.range
  if given.scale == "diverging" and not range then
    local largest = 0
    for _, value in ipairs(found) do largest = max(largest, abs(value)) end
    range = largest > 0 and {-largest, largest} or {-1, 1}
  end
  local new = axis.new(found, {log = given.log, range = range, exact = true, ticks = given.ticks})
  if new.base then new.base = 10 end
  return new
end

-- A part 0..1 of the scale, or nothing for a cell without a value.
local function part_of(value, values)
  if not value or (values.log and value <= 0) then return nil end
  return values:part(value)
end

local function colours_of(grid, values, scale)
  local colours, missing = {}, false
  for k = 1, grid.columns * grid.rows do
    local part = part_of(grid[k], values)
    colours[k] = part and scale(part) or kMissing
    missing = missing or part == nil
  end
  return colours, missing
end

-- The text of a cell; (x, y) is its PE.
local function shown(value, pattern, x, y)
  if type(pattern) == "function" then
    local text = pattern(value, x, y)
    if type(text) ~= "string" then
      fail("format(%.17g, %d, %d) is %s; a text is wanted", value, x, y, tostring(text))
    end
    return text
  elseif pattern then
    local fits, text = pcall(format, pattern, value)
    if not fits then fail("format = '%s' does not fit %.17g", pattern, value) end
    return text
  end
  return (format("%.4g", value):gsub("%-", "−"))
end

-- Numbers in the cells, or nothing: by default where there are few and the picture has the room.
local function numbers_of(given, grid)
  if given.numbers == false or (not given.numbers and #grid > 100) then return nil end
  if grid.block > 1 or #grid > 2500 then
    fail("numbers in %d x %d cells would not be readable; leave the field 'numbers' out",
         grid.width, grid.height)
  end
  local texts = {widest = 0}
  for k, value in ipairs(grid) do
    local x, y = (k - 1) % grid.columns + grid.x0, (k - 1) // grid.columns + grid.y0
    texts[k] = value and shown(value, given.format, x, y) or ""
    texts.widest = max(texts.widest, svg.text_width(texts[k], frame.tick_size))
  end
  local widest_row = max(grid.columns, grid.rows) * (texts.widest + 8)
  return (given.numbers or widest_row <= (given.size or 560)) and texts or nil
end

-- Texts of the cells along one side, as many as there are.
local function ticks_of(given, name, count, grid)
  local texts = given[name]
  if not texts then return nil end
  if grid.block > 1 then fail("%s: %d x %d PEs are averaged", name, grid.width, grid.height) end
  for k = 1, count do
    if #texts ~= count or type(texts[k]) ~= "string" then
      fail("%s has %d texts; one for each of %d cells is wanted", name, #texts, count)
    end
  end
  return texts
end

-- The name of each cell's region.
local function regions_of(given, grid)
  if not given.regions then return nil end
  if grid.block > 1 then fail("regions: %d x %d PEs are averaged", grid.width, grid.height) end
  local names = {}
  for k = 1, grid.columns * grid.rows do
    names[k] = tostring(given.regions((k - 1) % grid.columns + grid.x0,
                                      (k - 1) // grid.columns + grid.y0))
  end
  return names
end

local heat = {}

-- {canvas =, width =, height =} of the fields that wse.heat_map or a panel of wse.plot was given.
function heat.draw(what, given)
  check(what, given)
  local grid = cells.of(given)
  local self = {grid = grid, missing_colour = kMissing, size = given.size or 560,
                values = value_axis(given, grid), title = given.title, label = given.label or "",
                x_label = given.x_label or "x", y_label = given.y_label or "y",
                numbers = numbers_of(given, grid), regions = regions_of(given, grid),
                own_x = ticks_of(given, "x_ticks", grid.columns, grid),
                own_y = ticks_of(given, "y_ticks", grid.rows, grid)}
  self.scale = colour_scale.of(given.scale or "rising")
  self.colours, self.missing = colours_of(grid, self.values, self.scale)
  map.lay(self)
  local canvas = svg.canvas()
  map.draw(canvas, self)
  return {canvas = canvas, width = self.width, height = self.height}
end

return heat
